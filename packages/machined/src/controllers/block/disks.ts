import { basename } from "node:path";
import { humanBytes } from "@talos-ts/base";
import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import type { Linux, TextFiles } from "@talos-ts/linux";
import { BlockDevice, Disk, type DiskSpec } from "@talos-ts/machinery/resources/block";
import { blockFolder, readAttribute, readSize } from "./internal/block-device.ts";

/** Publishes whole disks with what sysfs knows of them; devices of no size, such as unused loop devices, are left out. */
export function disksController({ linux }: { readonly linux: Pick<Linux, "textFiles"> }): Controller {
  return reduceController({
    name: "block.DisksController",
    inputs: [weak(BlockDevice)],
    outputs: [exclusive(Disk)],
    async reduce(context) {
      const devices = await context.list(BlockDevice);
      const parents = new Map(devices.map(({ metadata, spec }) => [metadata.id, spec.parent]));
      const whole = devices.filter(({ spec }) => spec.type === "disk");
      const found = await Promise.all(
        whole.map(async ({ metadata: { id }, spec: { secondaries } }) => {
          const spec = await readDisk(linux.textFiles, id);
          return { id, spec: { ...spec, secondaryDisks: secondaries.map((each) => parents.get(each) || each) } };
        }),
      );
      return found.filter(({ spec }) => spec.size > 0).map(({ id, spec }) => createResource(Disk, id, spec));
    },
  });
}

/** Transports by the beginning of a modalias or of the name. */
const transports: readonly (readonly [RegExp, string])[] = [
  [/^virtio:|^vd/, "virtio"],
  [/^nvme/, "nvme"],
  [/^mmc/, "mmc"],
];

async function readDisk(files: TextFiles, name: string): Promise<DiskSpec> {
  const folder = `${blockFolder}/${name}`;
  const read = (path: string): Promise<string> => readAttribute(files, `${folder}/${path}`);
  const size = await readSize(files, name);
  const modalias = await read("device/modalias");
  const serial = (await read("serial")) || (await read("device/serial"));
  const transport = transports.find(([pattern]) => pattern.test(modalias) || pattern.test(name))?.[1] ?? "";
  return Disk.spec({
    devPath: `/dev/${name}`,
    size,
    prettySize: humanBytes(size),
    ioSize: Number(await read("queue/optimal_io_size")) || Number(await read("queue/physical_block_size")),
    sectorSize: Number(await read("queue/logical_block_size")),
    readonly: (await read("ro")) === "1",
    cdrom: name.startsWith("sr"),
    model: await read("device/model"),
    serial,
    modalias,
    wwid: (await read("wwid")) || (await read("device/wwid")),
    busPath: await files.readLink(`${folder}/device`).then(basename, () => ""),
    subSystem: await files.readLink(`${folder}/subsystem`).then(
      (target) => target.replace(/^(?:\.\.\/)+/, "/sys/"),
      () => "",
    ),
    transport,
    rotational: (await read("queue/rotational")) === "1",
  });
}
