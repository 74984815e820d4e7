import type { TextFiles } from "@talos-ts/linux";
import { BlockDevice, type BlockDeviceSpec } from "@talos-ts/machinery/resources/block";

/** Folder of sysfs with an entry for each block device. */
export const blockFolder = "/sys/class/block";

/** Reads what sysfs knows of a block device. @throws OsError `file/<errno>` when it is not there */
export async function readBlockDevice(files: TextFiles, name: string): Promise<BlockDeviceSpec> {
  const folder = `${blockFolder}/${name}`;
  const uevent = await files.read(`${folder}/uevent`);
  const value = (key: string): string => new RegExp(`^${key}=(.*)$`, "m").exec(uevent)?.[1] ?? "";
  const devicePath = (await files.readLink(folder)).replace(/^(?:\.\.\/)+/, "/");
  const type = value("DEVTYPE");
  return BlockDevice.spec({
    type,
    major: Number(value("MAJOR")),
    minor: Number(value("MINOR")),
    partitionName: value("PARTNAME"),
    partitionNumber: Number(value("PARTN")),
    devicePath,
    parent: type === "partition" ? (devicePath.split("/").at(-2) ?? "") : "",
    secondaries: await files.list(`${folder}/slaves`).catch(() => []),
  });
}

/** Text of a file of sysfs without its line end; empty when it is not there. */
export async function readAttribute(files: TextFiles, path: string): Promise<string> {
  return (await files.read(path).catch(() => "")).trim();
}

/** Bytes of a block device: sysfs counts in units of 512, whatever its sectors are. */
export async function readSize(files: TextFiles, name: string): Promise<number> {
  return Number(await readAttribute(files, `${blockFolder}/${name}/size`)) * 512;
}
