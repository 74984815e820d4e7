import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./sync-folder.ts";

/**
 * Writes a file so that a reader finds the old contents or the new ones, also after a power cut: to a file beside it, to the disk,
 * then under its name, then the folder to the disk.
 *
 * The file beside it is named for the process: others may write at the same time, and what an interrupted attempt of the first
 * process of a machine left goes away with the next one.
 */
export async function writeDurably(path: string, contents: string | Uint8Array, mode: number): Promise<void> {
  const draft = `${path}.${String(process.pid)}.tmp`;
  await rm(draft, { force: true });
  try {
    {
      await using file = await open(draft, "wx", mode);
      await file.chmod(mode);
      await file.writeFile(contents);
      await file.sync();
    }
    await rename(draft, path);
  } catch (err) {
    await rm(draft, { force: true });
    throw err;
  }
  await syncFolder(dirname(path));
}
