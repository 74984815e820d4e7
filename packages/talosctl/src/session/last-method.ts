import type { Invocation } from "../command.ts";
import type { ApiConnection } from "@talos-ts/machinery/client";

const connections = new WeakMap<Invocation, Pick<ApiConnection, "lastMethod">>();

/** Remembers the connection of a command, for who explains why it failed. */
export function rememberConnection(invocation: Invocation, connection: ApiConnection): void {
  connections.set(invocation, connection);
}

/** Keeps the method that a command called last, whatever is called on its connection afterwards. */
export function keepLastMethod(invocation: Invocation): void {
  connections.set(invocation, { lastMethod: lastMethodOf(invocation) });
}

/** The method (`/package.Service/Method`) that a command called last. */
export function lastMethodOf(invocation: Invocation): string | undefined {
  return connections.get(invocation)?.lastMethod;
}
