import { open, rename } from "node:fs/promises";

/** Replaces a file so that a reader finds the old contents or the new ones, also after the host lost its power. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const scratch = `${path}.new`;
  {
    await using file = await open(scratch, "w", 0o600);
    await file.writeFile(text);
    await file.sync();
  }
  await rename(scratch, path);
}
