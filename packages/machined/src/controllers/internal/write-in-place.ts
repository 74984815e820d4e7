import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file if its contents differ, without replacing it: something may be mounted from it, and a mount follows the
 * inode, not the name.
 */
export async function writeInPlace(path: string, contents: string, mode: number): Promise<void> {
  const present = await readFile(path, "utf8").catch(() => undefined);
  if (present !== contents) {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await writeFile(path, contents, { mode });
  }
  await chmod(path, mode);
}
