import { basename } from "node:path";
import { isCode } from "@talos-ts/base";
import type { TextFiles } from "@talos-ts/linux";

const devices = "/sys/bus/pci/devices";
const probe = "/sys/bus/pci/drivers_probe";

/** Written in the place of a driver: the device gets the one that its ids ask for. */
export const defaultDriver = "\n";

/** The driver of a device; `undefined` when it has none. */
export async function driverOf(files: Pick<TextFiles, "readLink">, pciID: string): Promise<string | undefined> {
  try {
    return basename(await files.readLink(`${devices}/${pciID}/driver`));
  } catch (err) {
    if (isCode(err, "file/enoent")) return undefined;
    throw err;
  }
}

/** Takes a device from its driver and offers it to another one. @throws OsError `file/<errno>` */
export async function bindDriver(files: Pick<TextFiles, "write">, pciID: string, driver: string): Promise<void> {
  await files.write(`${devices}/${pciID}/driver_override`, driver);
  try {
    await files.write(`${devices}/${pciID}/driver/unbind`, pciID);
  } catch (err) {
    // Nobody has it.
    if (!isCode(err, "file/enoent")) throw err;
  }
  await files.write(probe, pciID);
}
