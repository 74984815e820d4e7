import type { Controller } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { apiServiceConfigController } from "./api-service-config.ts";
import { devicesStatusController } from "./devices-status.ts";
import { diagnosticsLoggerController } from "./diagnostics-logger.ts";
import { diagnosticsController } from "./diagnostics.ts";
import { kernelParamConfigController } from "./kernel-param-config.ts";
import { kernelParamDefaultsController } from "./kernel-param-defaults.ts";
import { kernelParamSpecController } from "./kernel-param-spec.ts";
import { machineStatusPublisherController } from "./machine-status-publisher.ts";
import { machineStatusController } from "./machine-status.ts";
import { maintenanceConfigController } from "./maintenance-config.ts";
import { maintenanceServiceInformController } from "./maintenance-service-inform.ts";
import { mountStatusController } from "./mount-status.ts";
import { versionController } from "./version.ts";

/** Controllers about the machine as a whole. */
export function runtimeControllers(machine: Machine): readonly Controller[] {
  return [
    apiServiceConfigController(),
    devicesStatusController(machine),
    diagnosticsController(machine),
    diagnosticsLoggerController(machine),
    kernelParamConfigController(),
    kernelParamDefaultsController(machine),
    kernelParamSpecController(machine),
    machineStatusController(machine),
    machineStatusPublisherController(machine),
    maintenanceConfigController(),
    maintenanceServiceInformController(),
    mountStatusController(),
    versionController(),
  ];
}
