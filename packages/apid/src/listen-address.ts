import { isIP } from "node:net";
import { OsError } from "@talos-ts/base";

/**
 * Reads `:50000`, `10.5.0.2:50000` or `[fd00::1]:50000`. No host means every address of both families.
 *
 * @throws {OsError} `apid/listen-address`.
 */
export function parseListenAddress(text: string): { readonly host: string; readonly port: number } {
  const [, v6, v4 = "", digits = ""] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? [];
  const host = v6 ?? v4;
  const port = Number(digits);
  if (digits === "" || port > 65_535 || (host !== "" && isIP(host) === 0) || (v6 !== undefined && isIP(v6) !== 6)) {
    throw new OsError({
      kind: "invalid-argument",
      code: "apid/listen-address",
      message: `Cannot listen on "${text}": expected ":port", "address:port" or "[address]:port"`,
      next: "talosctl get apiserviceconfigs -o yaml",
    });
  }
  return { host, port };
}
