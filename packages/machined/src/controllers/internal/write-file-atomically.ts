import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file so that after a power cut either the old or the new contents are there: to a file beside it, to the disk,
 * then under its name, then the directory to the disk.
 */
export async function writeFileAtomically(path: string, contents: string | Uint8Array, mode: number): Promise<void> {
  const temporary = `${path}-tmp`;
  await rm(temporary, { force: true });
  {
    await using file = await open(temporary, "wx", mode);
    await file.chmod(mode);
    await file.writeFile(contents);
    await file.sync();
  }
  await rename(temporary, path);
  await using directory = await open(dirname(path), "r");
  await directory.sync();
}
