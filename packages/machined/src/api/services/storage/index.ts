import type { ServiceImpl } from "@talos-ts/grpc";
import type { StorageService } from "@talos-ts/proto/storage/storage";
import type { Machine } from "../../../machine.ts";
import { disks } from "./disks.ts";

export function storageService(machine: Machine): ServiceImpl<typeof StorageService> {
  return { disks: disks(machine) };
}
