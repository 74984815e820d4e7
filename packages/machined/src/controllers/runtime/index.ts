import type { Controller } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { apiServiceConfigController } from "./api-service-config.ts";
import { devicesStatusController } from "./devices-status.ts";
import { maintenanceConfigController } from "./maintenance-config.ts";
import { maintenanceServiceInformController } from "./maintenance-service-inform.ts";
import { versionController } from "./version.ts";

/** Controllers about the machine as a whole. */
export function runtimeControllers(machine: Machine): readonly Controller[] {
  return [
    apiServiceConfigController(),
    devicesStatusController(machine),
    maintenanceConfigController(),
    maintenanceServiceInformController(),
    versionController(),
  ];
}
