import type { Clock } from "@talos-ts/base";
import type { Invocation } from "../command.ts";
import type { Session } from "../session/session.ts";
import type { ClusterState } from "./cluster-state.ts";

/** What the work on one node has at hand. */
export interface RollingContext {
  readonly session: Session;
  readonly invocation: Invocation;
  readonly cluster: ClusterState;
  readonly tell: (node: string, text: string) => void;
  readonly clock: Clock;
  /** Aborts on Ctrl-C and at the deadline. */
  readonly signal: AbortSignal;
}

/** Work that is done to one node after the other. */
export interface RollingWork {
  /** Name of the command. */
  readonly kind: "reboot" | "reset";
  /** True when nodes lose what they keep, records of operations too. */
  readonly erases: boolean;
  /** Does it to one node, and resolves when the node has it behind itself. */
  run(context: RollingContext, node: string): Promise<void>;
  /**
   * Finds out whether a node has it behind itself, after a call that was interrupted during its turn; waits for one that is in the
   * middle of it.
   *
   * @param sinceMs When the interrupted call began, in ms since the epoch.
   */
  finish(context: RollingContext, node: string, sinceMs: number): Promise<boolean>;
}
