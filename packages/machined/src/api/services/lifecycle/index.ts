import type { ServiceImpl } from "@talos-ts/grpc";
import type { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import type { Platform } from "../../../platform.ts";
import { refuseWithoutInstaller } from "../../access/mode-support.ts";

/** Installing and upgrading a machine that has disks of its own. */
export function lifecycleService(machine: { readonly platform: Platform }): ServiceImpl<typeof LifecycleService> {
  const { mode } = machine.platform;
  return {
    install: () => refuseWithoutInstaller(machine, `installation is not supported in ${mode} mode`),
    upgrade: () => refuseWithoutInstaller(machine, `upgrade is not supported in ${mode} mode`),
  };
}
