import { get, type IncomingMessage } from "node:http";
import { OsError } from "@talos-ts/base";

/**
 * Asks a service on this machine over HTTP whether it is well: it is, when it answers with 200.
 *
 * Not with `fetch`: that one brings a second HTTP client, several MiB in a process that has the first one anyway.
 *
 * @param next the command that shows why it is not
 */
export async function checkHttpHealth(url: string, signal: AbortSignal, next: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { signal, agent: false }, resolve).once("error", reject);
  const response = await promise;
  response.resume();
  if (response.statusCode === 200) return;
  throw new OsError({
    kind: "unavailable",
    code: "service/unhealthy",
    message: `expected HTTP status OK, got ${String(response.statusCode)} ${response.statusMessage ?? ""}`.trimEnd(),
    next,
  });
}
