import { isIP } from "node:net";
import { OsError } from "@talos-ts/base";

/** A parsed target of a channel. */
export type Target =
  | { readonly transport: "unix"; readonly path: string; readonly authority: string }
  | { readonly transport: "tcp"; readonly host: string; readonly port: number; readonly authority: string };

/**
 * Reads `unix:///path`, `unix:path`, `dns:///host:port` or `host:port` (IPv6 in brackets).
 *
 * @throws {OsError} `grpc/bad-target`.
 */
export function parseTarget(text: string): Target {
  const unix = /^unix:(?:\/\/)?(.+)$/.exec(text)?.[1];
  if (unix !== undefined) return { transport: "unix", path: unix, authority: "localhost" };
  const address = text.replace(/^dns:(?:\/\/[^/]*\/)?/, "");
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(address);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port < 1 || port > 65_535 || (match?.[1] !== undefined && isIP(host) !== 6)) {
    throw new OsError({
      kind: "invalid-argument",
      code: "grpc/bad-target",
      message: `Cannot use "${text}" as a target: expected "host:port", "[ipv6]:port", "dns:///host:port" or "unix:///path"`,
    });
  }
  return { transport: "tcp", host, port, authority: address };
}
