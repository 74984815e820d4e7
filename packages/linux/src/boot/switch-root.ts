import { cString } from "../ffi/c-string.ts";
import { kernelError } from "../ffi/errno.ts";
import { libc } from "../ffi/libc.ts";
import { createLinuxMounts } from "../mounts/linux-mounts.ts";

/**
 * Makes the file system that is mounted on a folder the root of this process and of all it starts.
 *
 * The first root of a kernel cannot be pivoted away, so the new one is moved over it, as switch_root(8) does.
 *
 * @throws OsError `mount/<errno>`, `chroot/<errno>`
 */
export async function switchRoot(folder: string): Promise<void> {
  process.chdir(folder);
  await createLinuxMounts().move(".", "/");
  if (libc().functions.chroot(cString(".")) < 0) {
    const action = `change the root to "${folder}"`;
    throw kernelError({ area: "chroot", action, errno: libc().errno(), details: { folder } });
  }
  process.chdir("/");
}
