import { OsError } from "@talos-ts/base";
import type { Session } from "./session.ts";

/**
 * @param args Arguments of the command, for the line that works. Default: none.
 * @throws `cli/one-node` when a command that has one result was called for several nodes
 */
export function checkOneNode(session: Pick<Session, "nodes">, command: string, args: readonly string[] = []): void {
  if (session.nodes.length <= 1) return;
  throw new OsError({
    kind: "invalid-argument",
    code: "cli/one-node",
    message: `command ${JSON.stringify(command)} is not supported with multiple nodes`,
    next: `talosctl ${[command, ...args].join(" ")} --nodes ${session.nodes[0] ?? ""}`,
  });
}
