import { OsError, type Clock } from "@talos-ts/base";
import type { Pointer } from "../resource.ts";
import type { ControllerState, ControllerStatus, QueueStatus } from "./status.ts";

/** Writes the status of one controller, as it goes. */
export interface Monitor {
  readonly name: string;
  snapshot(): ControllerStatus;
  waiting(): void;
  began(cause: Pointer | undefined): void;
  ended(): void;
  missed(pointer: Pointer): void;
  /** A failure, and when the next attempt comes, if there is one. */
  failed(error: unknown, retryAt: number | undefined): void;
  /** An item of a queue failed; the controller itself goes on. */
  itemFailed(error: unknown): void;
  restarted(): void;
  healthy(): void;
  ends(state: "failed" | "finished" | "stopped"): void;
}

export interface MonitorOptions {
  readonly name: string;
  readonly model: ControllerStatus["model"];
  readonly clock: Clock;
  /** @default none */
  readonly deadlineMs?: number | undefined;
  readonly queue?: () => QueueStatus;
  readonly changed: () => void;
}

export function createMonitor(options: MonitorOptions): Monitor {
  const { name, model, clock, deadlineMs, changed } = options;
  let state: ControllerState = "starting";
  let since = clock.now();
  /** The same moment on the clock that is never set, which durations are measured by. */
  let sinceTick = clock.monotonic();
  let retryAt: number | undefined;
  let lastError: ControllerStatus["lastError"];
  let startedAt: number | undefined;
  let startedTick = 0;
  let durationMs: number | undefined;
  let wakeCause: Pointer | undefined;
  let reconciles = 0;
  let restarts = 0;
  let failures = 0;
  let missing: Pointer[] = [];

  function enter(next: ControllerState): void {
    state = next;
    since = clock.now();
    sinceTick = clock.monotonic();
    changed();
  }

  function record(error: unknown): void {
    lastError = { error: OsError.from(error), at: clock.now() };
    failures += 1;
  }

  return {
    name,
    snapshot: () => ({
      name,
      model,
      state,
      since,
      retryAt,
      lastError,
      lastReconcile: startedAt === undefined ? undefined : { startedAt, durationMs },
      wakeCause: wakeCause && { namespace: wakeCause.namespace, type: wakeCause.type, id: wakeCause.id },
      reconciles,
      restarts,
      failures,
      missing,
      overdue: state === "reconciling" && deadlineMs !== undefined && clock.monotonic() - sinceTick > deadlineMs,
      queue: options.queue?.(),
    }),
    waiting() {
      if (state !== "waiting") enter("waiting");
    },
    began(cause) {
      reconciles += 1;
      wakeCause = cause;
      durationMs = undefined;
      if (missing.length > 0) missing = [];
      enter("reconciling");
      startedAt = since;
      startedTick = sinceTick;
    },
    ended() {
      if (startedAt !== undefined) durationMs ??= Math.round(clock.monotonic() - startedTick);
    },
    missed(pointer) {
      const same = (other: Pointer): boolean =>
        other.id === pointer.id && other.type === pointer.type && other.namespace === pointer.namespace;
      // A new array, so that a snapshot taken before stays as it was.
      if (!missing.some(same)) missing = [...missing, pointer];
    },
    failed(error, at) {
      record(error);
      retryAt = at;
      if (at !== undefined) enter("backing-off");
    },
    itemFailed(error) {
      record(error);
      changed();
    },
    restarted() {
      restarts += 1;
      retryAt = undefined;
      enter("starting");
    },
    healthy() {
      failures = 0;
    },
    ends(next) {
      retryAt = undefined;
      enter(next);
    },
  };
}
