import type { Invocation } from "../command.ts";
import type { ApiConnection } from "@talos-ts/machinery/client";

const connections = new WeakMap<Invocation, ApiConnection>();

/** Remembers the connection of a command, for who explains why it failed. */
export function rememberConnection(invocation: Invocation, connection: ApiConnection): void {
  connections.set(invocation, connection);
}

/** The method (`/package.Service/Method`) that a command called last. */
export function lastMethodOf(invocation: Invocation): string | undefined {
  return connections.get(invocation)?.lastMethod;
}
