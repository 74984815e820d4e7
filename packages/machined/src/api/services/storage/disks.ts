import { findTyped, listTyped, type State } from "@talos-ts/cosi";
import type { ServiceImpl } from "@talos-ts/grpc";
import { Disk, SystemDisk, type DiskSpec } from "@talos-ts/machinery/resources/block";
import { Disk_DiskType as DiskType, type StorageService } from "@talos-ts/proto/storage/storage";

/** The disks that the block controllers found; a container has none of its own. */
export function disks(machine: { readonly state: State }): NonNullable<ServiceImpl<typeof StorageService>["disks"]> {
  return async () => {
    const system = await findTyped(machine.state, SystemDisk, "system-disk");
    const found = await listTyped(machine.state, Disk);
    return {
      messages: [
        {
          disks: found.map(({ spec }) => ({
            size: BigInt(spec.size),
            model: spec.model,
            deviceName: spec.devPath,
            serial: spec.serial,
            modalias: spec.modalias,
            uuid: spec.uuid,
            wwid: spec.wwid,
            type: diskType(spec),
            busPath: spec.busPath,
            systemDisk: spec.devPath === system?.spec.devPath,
            subsystem: spec.subSystem,
            readonly: spec.readonly,
          })),
        },
      ],
    };
  };
}

const byTransport: Readonly<Record<string, DiskType>> = { nvme: DiskType.NVME, mmc: DiskType.SD };

function diskType({ cdrom, transport, rotational }: DiskSpec): DiskType {
  if (cdrom) return DiskType.CD;
  return byTransport[transport] ?? (rotational ? DiskType.HDD : DiskType.SSD);
}
