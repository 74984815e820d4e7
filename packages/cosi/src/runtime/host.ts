import type { BackoffOptions, Clock } from "@talos-ts/base";
import type { Input, Logger, QueueInput } from "../controller.ts";
import type { State } from "../state.ts";
import type { Change } from "./kind-cache.ts";
import type { StatusBoard } from "./status-board.ts";
import type { Turnstile } from "./turnstile.ts";
import type { WatchHub } from "./watch-hub.ts";

/** Describes what the runtime lends to everything it runs. */
export interface Host {
  readonly state: State;
  readonly hub: WatchHub;
  readonly turnstile: Turnstile;
  readonly board: StatusBoard;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly backoff: BackoffOptions;
  readonly reconcileDeadlineMs: number | undefined;
  /** Declares the inputs of a controller anew and starts to watch them. */
  updateInputs(name: string, inputs: readonly Input[]): void;
}

/** A registered controller as the runtime drives it. */
export interface Driver {
  readonly name: string;
  readonly deadlineMs: number | undefined;
  /** Runs until the signal aborts, and never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** An input changed. Must not block. */
  changed(change: Change, input: Input | QueueInput): void;
  /** The runtime no longer waits: whatever still runs may not touch the state any more. */
  abandon(): void;
}
