import { OsError, systemClock, timeLimit, type Clock } from "@talos-ts/base";
import type { Controller, State } from "@talos-ts/cosi";
import { configText, isComplete, rebootPaths, type Config } from "@talos-ts/machinery/config";
import { pureControllers } from "../controllers/index.ts";
import type { PureDependencies } from "../controllers/controller-row.ts";
import type { Platform } from "../platform.ts";
import { diffOutputs, isSensitive, type ResourceChange } from "./diff-outputs.ts";
import { createDryRun, type Outcome } from "./dry-run.ts";
import { createDryRunDependencies } from "./dry-run-dependencies.ts";

/** Effects of a configuration change on a machine, as far as they follow from resources. */
export interface Plan {
  readonly changes: readonly ResourceChange[];
  /** Controllers that work now and would not with the new configuration. */
  readonly failures: readonly PlannedFailure[];
  /** Changed paths of the configuration that take a reboot; the machine needs none when there are none. */
  readonly rebootPaths: readonly string[];
}

export interface PlannedFailure {
  readonly controller: string;
  /** Only a code where the message could contain secrets. */
  readonly reason: string;
}

export interface PlanOptions {
  readonly signal?: AbortSignal;
  /** @default {5000} */
  readonly timeoutMs?: number;
  /** Measures the time. @default {systemClock} */
  readonly clock?: Clock;
  /** Makes the controllers to run. @default the pure controllers of the registry */
  readonly controllers?: (dependencies: PureDependencies) => readonly Controller[];
}

/**
 * Runs the pure controllers on a copy of the machine's resources, first with the old configuration until they are idle, then
 * with the new one. The machine itself is not touched.
 *
 * @param current `undefined` while the machine has no configuration
 * @throws {OsError} `plan/timeout`
 */
export async function planChange(
  machine: { readonly platform: Platform; readonly state: State },
  current: Config | undefined,
  next: Config,
  options: PlanOptions = {},
): Promise<Plan> {
  const { controllers: make = pureControllers, clock = systemClock, timeoutMs = 5000 } = options;
  using limit = timeLimit(timeoutMs, { clock, signal: options.signal, reason: () => timedOut(timeoutMs) });
  await using dependencies = await createDryRunDependencies(machine);
  const controllers = make(dependencies);
  await using dryRun = await createDryRun({ state: machine.state, controllers, signal: limit.signal });
  const before = await dryRun.apply(current && configText(current));
  const after = await dryRun.apply(configText(next));
  return {
    changes: diffOutputs(before.outputs, after.outputs),
    failures: newFailures(controllers, before, after),
    rebootPaths: current !== undefined && isComplete(current) ? rebootPaths(current, next) : [],
  };
}

function newFailures(controllers: readonly Controller[], before: Outcome, after: Outcome): readonly PlannedFailure[] {
  return controllers.flatMap(({ name, outputs }) => {
    const error = after.failures.get(name);
    if (error === undefined || before.failures.has(name)) return [];
    return [{ controller: name, reason: outputs.some(isSensitive) ? error.code : error.message }];
  });
}

function timedOut(timeoutMs: number): OsError {
  return new OsError({
    kind: "deadline-exceeded",
    code: "plan/timeout",
    message: `Timed out after ${String(timeoutMs)} ms while the change was planned`,
    next: "talosctl inspect dependencies",
  });
}
