import type { ServiceImpl } from "@talos-ts/grpc";
import type { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import type { Platform } from "../../../platform.ts";
import { refuseWithoutInstaller } from "../../access/mode-support.ts";

export function install(machine: {
  readonly platform: Platform;
}): NonNullable<ServiceImpl<typeof LifecycleService>["install"]> {
  return () => refuseWithoutInstaller(machine, `installation is not supported in ${machine.platform.mode} mode`);
}
