import type { State } from "../state.ts";
import type { Access } from "./access.ts";
import { contextClosed } from "./errors.ts";
import type { Monitor } from "./monitor.ts";
import type { Turnstile } from "./turnstile.ts";
import type { WatchHub } from "./watch-hub.ts";

/** Describes what reads and writes of one run of a controller have in common. */
export interface Scope {
  readonly name: string;
  readonly state: State;
  readonly hub: WatchHub;
  readonly turnstile: Turnstile;
  readonly monitor: Monitor;
  /** Changes when the inputs do. */
  access: Access;
  /** Cleared when the run ends, so that work it left behind can no longer touch the state. */
  open: boolean;
}

/** @throws {OsError} when the run the scope belongs to has ended */
export function checkOpen(scope: Scope): void {
  if (!scope.open) throw contextClosed(scope.name);
}
