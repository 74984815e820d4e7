import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BootImage } from "../boot/boot-image.ts";

/** Makes a boot image of a few bytes in a folder. */
export async function sampleBootImage(folder: string): Promise<Pick<BootImage, "uki" | "loader" | "version">> {
  const file = async (name: string, text: string) => {
    const from = join(folder, name);
    await writeFile(from, text);
    return { from, size: text.length };
  };
  return { uki: await file("uki", "the kernel"), loader: await file("loader", "the loader"), version: "v1.13.9" };
}
