import type { Fault } from "./fault.ts";
import { createRandom } from "./random.ts";

/** A fault of a schedule. */
export interface PlannedFault {
  readonly fault: Fault;
  /** Number of the control plane, where the fault may hit any. */
  readonly target: number;
}

export interface ScheduleOptions {
  readonly seed: number;
  readonly count: number;
  /** Faults to choose from. */
  readonly faults: readonly Fault[];
}

/** Decides the faults of a run: every kind once in each round, in an order of its own. The same options give the same schedule. */
export function planFaults({ seed, count, faults }: ScheduleOptions): readonly PlannedFault[] {
  const random = createRandom(seed);
  const planned: PlannedFault[] = [];
  let round: Fault[] = [];
  while (planned.length < count && faults.length > 0) {
    if (round.length === 0) round = [...faults];
    const [fault] = round.splice(random.below(round.length), 1);
    if (fault !== undefined) planned.push({ fault, target: random.below(1000) });
  }
  return planned;
}
