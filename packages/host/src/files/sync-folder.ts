import { open } from "node:fs/promises";

/** Writes a folder to the disk: names in it that came, changed or went survive a power cut from then on. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, "r");
  await folder.sync();
}
