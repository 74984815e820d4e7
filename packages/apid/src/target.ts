import { isIP } from "node:net";
import { hostPort, OsError } from "@talos-ts/base";

const name = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?$/;

/**
 * The address to dial for a node named in metadata, which is a host name or an IP address; the port is not the caller's
 * choice.
 *
 * @throws {OsError} `apid/invalid-target`.
 */
export function targetAddress(target: string, port: number): string {
  const host = /^\[(.*)\]$/.exec(target)?.[1] ?? target;
  if (isIP(host) === 0 && !name.test(target)) {
    throw new OsError({
      kind: "internal",
      code: "apid/invalid-target",
      message: `invalid target ${JSON.stringify(target)}`,
      details: { target },
    });
  }
  return hostPort(host, port);
}
