import { readFile } from "node:fs/promises";
import { parseEntryName } from "./entry-name.ts";

/** Folder of the variables of the firmware, and the name space of the Boot Loader Interface of systemd. */
const variables = "/sys/firmware/efi/efivars";
const vendor = "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f";
/** Attributes stand before the value. */
const attributeBytes = 4;

/**
 * Reads which entry the boot loader started, as `talos-v1.13.9`; `undefined` for a machine that was started in another way.
 *
 * @param root Prefix of the path, for tests. Empty on a machine.
 */
export async function readBootedEntry(root: string): Promise<string | undefined> {
  const path = `${root}${variables}/LoaderEntrySelected-${vendor}`;
  const bytes = await readFile(path).catch((err: NodeJS.ErrnoException) => {
    if (err.code === "ENOENT") return undefined;
    throw err;
  });
  if (bytes === undefined) return undefined;
  const [name = ""] = bytes.toString("utf16le", attributeBytes).split("\0");
  return parseEntryName(name)?.id;
}
