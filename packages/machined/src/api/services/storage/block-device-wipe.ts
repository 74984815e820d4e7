import type { ServiceImpl } from "@talos-ts/grpc";
import type { StorageService } from "@talos-ts/proto/storage/storage";
import type { Platform } from "../../../platform.ts";
import { refuseWithoutInstaller } from "../../access/mode-support.ts";

/** Machines in containers have no disks of their own: whoever made the container owns them. */
export function blockDeviceWipe(machine: {
  readonly platform: Platform;
}): NonNullable<ServiceImpl<typeof StorageService>["blockDeviceWipe"]> {
  return () => refuseWithoutInstaller(machine);
}
