import { OsError } from "@talos-ts/base";

export interface Fqdn {
  readonly hostname: string;
  readonly domainname: string;
}

/**
 * Splits a name at its first dot.
 * @throws {OsError} `network/bad-hostname`
 */
export function parseFqdn(name: string): Fqdn {
  const dot = name.indexOf(".");
  const hostname = dot === -1 ? name : name.slice(0, dot);
  if (hostname.length === 0 || hostname.length > 63) {
    throw new OsError({
      kind: "invalid-argument",
      code: "network/bad-hostname",
      message: `invalid hostname ${JSON.stringify(hostname)}`,
      next: "talosctl edit machineconfig",
    });
  }
  const domainname = dot === -1 ? "" : name.slice(dot + 1);
  if (name.length > 253) {
    throw new OsError({
      kind: "invalid-argument",
      code: "network/bad-hostname",
      message: `fqdn is too long: ${String(name.length)}`,
      next: "talosctl edit machineconfig",
    });
  }
  return { hostname, domainname };
}
