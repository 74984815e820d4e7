import { OsError } from "@talos-ts/base";

/** Prefixes of parameter names, and the folders behind them. */
const folders = { "proc.sys.": "/proc/sys", "sys.": "/sys" } as const;

/**
 * The file of a parameter: `proc.sys.net.ipv4.ip_forward`, `sys.kernel.mm.ksm.run`. Dots separate the parts, unless there is
 * a slash in the name: then slashes do, and dots belong to the parts.
 *
 * @throws {OsError} `kernel-param/bad-name`
 */
export function kernelParamPath(id: string): string {
  for (const [prefix, folder] of Object.entries(folders)) {
    if (!id.startsWith(prefix)) continue;
    const name = id.slice(prefix.length);
    const parts = name.split(name.includes("/") ? "/" : ".");
    if (parts.every((part) => part !== "" && part !== "." && part !== "..")) return `${folder}/${parts.join("/")}`;
  }
  throw new OsError({
    kind: "invalid-argument",
    code: "kernel-param/bad-name",
    message: `Cannot use "${id}" as a kernel parameter: expected parts like "net.ipv4.ip_forward"`,
    next: "talosctl edit machineconfig",
  });
}
