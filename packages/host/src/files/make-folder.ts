import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it that are missing, with the same mode; one that is there already is left as it is.
 *
 * Use it for paths that people choose. The recursive `mkdir` of Node.js never ends where the kernel answers "no such
 * file" although the parent is there, as it does below `/proc`.
 *
 * @param mode Subject to the umask. @default {0o777}
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (err) {
    if (await isFolder(path)) return;
    if ((err as NodeJS.ErrnoException).code !== "ENOENT") throw err;
    const parent = dirname(path);
    if (!(await isFolder(parent))) await makeFolder(parent, mode);
    // Once more even if the parent is there: somebody may have made it since.
    await mkdir(path, { mode }).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again;
    });
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
