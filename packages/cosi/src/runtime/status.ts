import type { OsError } from "@talos-ts/base";
import type { Pointer } from "../resource.ts";

/**
 * - `starting`: registered, its first run has not asked for work yet.
 * - `waiting`: for a change of an input.
 * - `reconciling`: at work since `since`. A hang looks like this.
 * - `backing-off`: failed, runs again at `retryAt`.
 * - `failed`: gave up with a `TerminalError`.
 * - `finished`: its `run` returned, which ends it for good.
 * - `stopped`: the runtime stopped.
 */
export type ControllerState =
  | "starting"
  | "waiting"
  | "reconciling"
  | "backing-off"
  | "failed"
  | "finished"
  | "stopped";

/** Describes what one controller does and how it fares. Times are milliseconds since the epoch. */
export interface ControllerStatus {
  readonly name: string;
  readonly model: "controller" | "queue";
  readonly state: ControllerState;
  /** Time at which it entered the state. */
  readonly since: number;
  readonly retryAt: number | undefined;
  readonly lastError: { readonly error: OsError; readonly at: number } | undefined;
  /** The present or the last reconcile; `durationMs` once it is over. */
  readonly lastReconcile: { readonly startedAt: number; readonly durationMs: number | undefined } | undefined;
  /** The input that caused the present or last reconcile; `undefined` for the start and for its own requests. */
  readonly wakeCause: Pointer | undefined;
  readonly reconciles: number;
  readonly restarts: number;
  /** Failures since it last reported that things are well. */
  readonly failures: number;
  /** Inputs that the present or last reconcile looked for and did not find. */
  readonly missing: readonly Pointer[];
  /** True when the present reconcile takes longer than its deadline. */
  readonly overdue: boolean;
  /** Items of a queue controller. */
  readonly queue: QueueStatus | undefined;
}

/** Length and failures of a controller's queue. */
export interface QueueStatus {
  readonly ready: number;
  readonly running: number;
  /** Waiting for their time: backoff or `RequeueAfter`. */
  readonly delayed: number;
}
