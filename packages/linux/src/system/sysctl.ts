import type { TextFiles } from "../files/text-files.ts";
import { OsError } from "@talos-ts/base";

/** Kernel parameters under /proc/sys. Errors have codes `file/<errno>`. */
export interface Sysctl {
  read(name: string): Promise<string>;
  write(name: string, value: string): Promise<void>;
}

/**
 * The file of a parameter. Dots separate the parts, unless the name has a slash: then slashes do and dots belong to
 * the parts (`net/ipv4/conf/eth0.5/forwarding`). @throws OsError `sysctl/bad-name`
 */
function sysctlPath(name: string, root = "/proc/sys"): string {
  const parts = name.split(name.includes("/") ? "/" : ".");
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    throw new OsError({
      kind: "invalid-argument",
      code: "sysctl/bad-name",
      message: `Cannot use "${name}" as a kernel parameter: expected parts like "net.ipv4.ip_forward"`,
    });
  }
  return `${root}/${parts.join("/")}`;
}

/** Creates access to kernel parameters (sysctl(8)) through their files. */
export function createSysctl(files: TextFiles, root = "/proc/sys"): Sysctl {
  return {
    read: async (name) => (await files.read(sysctlPath(name, root))).trimEnd(),
    write: async (name, value) => files.write(sysctlPath(name, root), value),
  };
}
