import { OsError } from "@talos-ts/base";
import type { Session } from "./session.ts";

/** @throws `cli/one-node` when a command that has one result was called for several nodes. */
export function checkOneNode(session: Pick<Session, "nodes">, command: string): void {
  if (session.nodes.length <= 1) return;
  throw new OsError({
    kind: "invalid-argument",
    code: "cli/one-node",
    message: `command ${JSON.stringify(command)} is not supported with multiple nodes`,
    next: `talosctl ${command} --nodes ${session.nodes[0] ?? ""}`,
  });
}
