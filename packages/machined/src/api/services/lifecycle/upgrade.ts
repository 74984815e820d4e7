import type { ServiceImpl } from "@talos-ts/grpc";
import type { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import type { Platform } from "../../../platform.ts";
import { refuseWithoutInstaller } from "../../access/mode-support.ts";

export function upgrade(machine: {
  readonly platform: Platform;
}): NonNullable<ServiceImpl<typeof LifecycleService>["upgrade"]> {
  return () => refuseWithoutInstaller(machine, `upgrade is not supported in ${machine.platform.mode} mode`);
}
