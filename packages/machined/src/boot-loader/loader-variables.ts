import { readFile } from "node:fs/promises";
import { parseEntryName } from "./entry-name.ts";

/** Folder of the variables of the firmware. */
const variables = "/sys/firmware/efi/efivars";
/** Name spaces: of the Boot Loader Interface of systemd, and of UEFI itself. */
const vendors = {
  loader: "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f",
  firmware: "8be4df61-93ca-11d2-aa0d-00e098032b8c",
} as const;
/** Attributes stand before the value. */
const attributeBytes = 4;

/**
 * Reads which entry the boot loader started, as `talos-v1.13.9`; `undefined` for a machine that was started in another way.
 *
 * @param root Prefix of the path, for tests. Empty on a machine.
 */
export async function readBootedEntry(root: string): Promise<string | undefined> {
  const value = await readVariable(root, "LoaderEntrySelected", "loader");
  const [name = ""] = (value?.toString("utf16le") ?? "").split("\0");
  return parseEntryName(name)?.id;
}

/** Describes how the kernel came to run. */
export interface BootSecurity {
  /** True when the firmware lets only signed programs run. */
  readonly secureBoot: boolean;
  /** True when the kernel was started from a unified kernel image, whose stub says so. */
  readonly unifiedKernel: boolean;
}

/**
 * Reads how the kernel came to run; everything is false on a machine without UEFI.
 *
 * @param root Prefix of the path, for tests. Empty on a machine.
 */
export async function readBootSecurity(root: string): Promise<BootSecurity> {
  const secure = await readVariable(root, "SecureBoot", "firmware");
  const stub = await readVariable(root, "StubInfo", "loader");
  return { secureBoot: secure?.[0] === 1, unifiedKernel: stub !== undefined };
}

async function readVariable(root: string, name: string, vendor: keyof typeof vendors): Promise<Buffer | undefined> {
  try {
    return (await readFile(`${root}${variables}/${name}-${vendors[vendor]}`)).subarray(attributeBytes);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw err;
  }
}
