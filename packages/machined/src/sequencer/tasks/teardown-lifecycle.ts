import { describeError, timeLimit, type Clock } from "@talos-ts/base";
import { isNotFound, pointerTo, type State } from "@talos-ts/cosi";
import { VolumeLifecycle } from "@talos-ts/machinery/resources/block";
import type { Task } from "../../sequence.ts";
import { releaseEphemeralPartition } from "./mount-ephemeral-partition.ts";

const lifecycle = pointerTo(VolumeLifecycle, VolumeLifecycle.id);
const timeoutMs = 10_000;

/** Lets controllers write what they still have to write, and then closes the volumes. */
export function teardownLifecycle({ state, clock }: { readonly state: State; readonly clock: Clock }): Task {
  return async ({ log }) => {
    using limit = timeLimit(timeoutMs, { clock });
    // A machine that goes down does so even when a volume stays in use.
    const logFailure = (err: unknown): void => {
      if (!isNotFound(err)) log(`cannot close volumes: ${describeError(err)}`);
    };
    await releaseEphemeralPartition(state, limit.signal).catch(logFailure);
    try {
      await state.teardown(lifecycle);
      await state.watchFor(lifecycle, { phases: ["tearingDown"], finalizersEmpty: true }, limit.signal);
    } catch (err) {
      logFailure(err);
    }
  };
}
