import { closeSync, openSync } from "node:fs";
import { cString } from "../ffi/c-string.ts";
import { errnoName, kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";

/** Number of finit_module(2), which the C library has no function for. */
const SYS_finit_module: Readonly<Record<string, bigint>> = { x64: 313n, arm64: 273n };
const MODULE_INIT_COMPRESSED_FILE = 4n;
const compressed = /\.(?:gz|xz|zst)$/;

/**
 * Inserts one kernel module from its file; the modules it needs have to be there. One that is in the kernel already is no error.
 *
 * @throws OsError `module/<errno>`
 */
export function insertModule(path: string): void {
  const fd = openSync(path, "r");
  try {
    const { functions, ffi, errno } = libc();
    const parameters = cString("");
    const flags = compressed.test(path) ? MODULE_INIT_COMPRESSED_FILE : 0n;
    const number = SYS_finit_module[process.arch] ?? 0n;
    if (functions.syscall(number, BigInt(fd), ffi.getRawPointer(parameters), flags) >= 0n) return;
    const failed = errno();
    if (errnoName(failed) === "EEXIST") return;
    throw kernelError({ area: "module", action: `insert kernel module "${path}"`, errno: failed, details: { path } });
  } finally {
    closeSync(fd);
  }
}
