import type { ServiceImpl } from "@talos-ts/grpc";
import type { StorageService } from "@talos-ts/proto/storage/storage";
import type { ApiDependencies } from "../../api-dependencies.ts";
import { blockDeviceWipe } from "./block-device-wipe.ts";
import { disks } from "./disks.ts";

export function storageService(machine: ApiDependencies): ServiceImpl<typeof StorageService> {
  return { blockDeviceWipe: blockDeviceWipe(machine), disks: disks(machine) };
}
