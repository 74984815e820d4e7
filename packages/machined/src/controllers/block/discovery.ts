import { describeError, humanBytes } from "@talos-ts/base";
import { createResource, exclusive, reduceController, weak, type Controller, type Resource } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import {
  BlockDevice,
  DiscoveredVolume,
  DiscoveryRefreshRequest,
  DiscoveryRefreshStatus,
  type BlockDeviceSpec,
} from "@talos-ts/machinery/resources/block";
import { blockFolder, readAttribute, readSize } from "./internal/block-device.ts";
import { blkid, type Probe, type ProbeResult } from "./internal/probe.ts";

interface Known {
  readonly generation: number;
  readonly request: number;
  readonly result: ProbeResult;
}

/**
 * Publishes the partitions and file systems on block devices. A device is probed once, and again when the kernel says that it
 * changed or when somebody who changed it asks for it.
 */
export function discoveryController(
  { linux }: { readonly linux: Pick<Linux, "textFiles"> },
  probe: Probe = blkid,
): Controller {
  const known = new Map<string, Known>();
  return reduceController({
    name: "block.DiscoveryController",
    inputs: [weak(BlockDevice), weak(DiscoveryRefreshRequest)],
    outputs: [exclusive(DiscoveredVolume), exclusive(DiscoveryRefreshStatus)],
    async reduce(context) {
      const asked = await context.find(DiscoveryRefreshRequest, DiscoveryRefreshRequest.id);
      const request = asked?.spec.request ?? 0;
      const volumes: Resource[] = [];
      const devices = await context.list(BlockDevice);
      for (const { metadata, spec } of devices) {
        const size = await readSize(linux.textFiles, metadata.id);
        if (size === 0) continue;
        const last = known.get(metadata.id);
        if (last?.generation !== spec.generation || last.request !== request) {
          const result = await probe(`/dev/${metadata.id}`, context.signal).catch((err: unknown) => {
            context.logger.warn("cannot probe a device", { device: metadata.id, error: describeError(err) });
            return {};
          });
          known.set(metadata.id, { generation: spec.generation, request, result });
        }
        const place = await placeOf(linux, metadata.id, spec);
        volumes.push(volume(metadata.id, { ...spec, ...place }, size, known.get(metadata.id)?.result ?? {}));
      }
      if (asked === undefined) return volumes;
      // Not answered before all devices of the kernel are published: each that comes wakes this controller again.
      const published = new Set(devices.map(({ metadata }) => metadata.id));
      const names = await linux.textFiles.list(blockFolder);
      if (!names.every((name) => published.has(name))) return volumes;
      const status = DiscoveryRefreshStatus.spec({ request });
      return [...volumes, createResource(DiscoveryRefreshStatus, DiscoveryRefreshStatus.id, status)];
    },
  });
}

async function placeOf({ textFiles }: Pick<Linux, "textFiles">, name: string, { parent }: BlockDeviceSpec) {
  const disk = parent === "" ? name : parent;
  const start = await readAttribute(textFiles, `${blockFolder}/${name}/start`);
  const sectorSize = await readAttribute(textFiles, `${blockFolder}/${disk}/queue/logical_block_size`);
  return { offset: Number(start) * 512, sectorSize: Number(sectorSize) };
}

type Placed = BlockDeviceSpec & { readonly offset: number; readonly sectorSize: number };

function volume(id: string, device: Placed, size: number, found: ProbeResult): Resource {
  const { type, parent, devicePath, offset, sectorSize } = device;
  const spec = DiscoveredVolume.spec({
    devPath: `/dev/${id}`,
    type,
    devicePath,
    parent,
    parentDevPath: parent === "" ? "" : `/dev/${parent}`,
    offset,
    size,
    prettySize: humanBytes(size),
    sectorSize,
    name: found.TYPE ?? found.PTTYPE ?? "",
    uuid: found.UUID ?? found.PTUUID ?? "",
    label: found.LABEL ?? "",
    blockSize: Number(found.BLOCK_SIZE ?? 0),
    filesystemBlockSize: Number(found.FSBLOCKSIZE ?? 0),
    probedSize: Number(found.FSSIZE ?? 0),
    partitionUuid: found.PART_ENTRY_UUID ?? "",
    partitionType: found.PART_ENTRY_TYPE ?? "",
    partitionLabel: found.PART_ENTRY_NAME ?? "",
    partitionIndex: Number(found.PART_ENTRY_NUMBER ?? 0),
  });
  return createResource(DiscoveredVolume, id, spec);
}
