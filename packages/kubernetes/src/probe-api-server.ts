import { request } from "node:https";

/** Statuses of a server that serves; a refusal to answer without credentials (401, 403) is an answer, too. */
const readyStatuses: ReadonlySet<number> = new Set([200, 401, 403]);

/**
 * Asks `/readyz` of an API server; never rejects. The certificate is not verified: who only forwards bytes needs no trust, its
 * clients verify the server they reach.
 */
export function probeApiServer(
  { host, port }: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<"ready" | "not-ready" | "unreachable"> {
  return new Promise((resolve) => {
    const options = { host, port, path: "/readyz", rejectUnauthorized: false, agent: false, signal } as const;
    const probe = request(options, (response) => {
      response.resume();
      response.once("error", () => resolve("unreachable"));
      response.once("end", () => resolve(readyStatuses.has(response.statusCode ?? 0) ? "ready" : "not-ready"));
    });
    probe.once("error", () => resolve("unreachable"));
    probe.end();
  });
}
