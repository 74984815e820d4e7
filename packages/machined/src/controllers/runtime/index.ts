import { createProcessRegistrar } from "../../services/process-registrar.ts";
import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { apiServiceConfigController } from "./api-service-config.ts";
import { bootedEntryController } from "./booted-entry.ts";
import { debugController } from "./debug.ts";
import { devicesStatusController } from "./devices-status.ts";
import { diagnosticsLoggerController } from "./diagnostics-logger.ts";
import { diagnosticsController } from "./diagnostics.ts";
import { dropUpgradeFallbackController } from "./drop-upgrade-fallback.ts";
import { environmentController } from "./environment.ts";
import { eventsSinkConfigController } from "./events-sink-config.ts";
import { eventsSinkController } from "./events-sink.ts";
import { extensionServiceConfigFilesController } from "./extension-service-config-files.ts";
import { extensionServiceConfigController } from "./extension-service-config.ts";
import { extensionServiceController } from "./extension-service.ts";
import { extensionStatusController } from "./extension-status.ts";
import { kernelCmdlineController } from "./kernel-cmdline.ts";
import { kernelModuleConfigController } from "./kernel-module-config.ts";
import { kernelModuleSpecController } from "./kernel-module-spec.ts";
import { kernelParamConfigController } from "./kernel-param-config.ts";
import { kernelParamDefaultsController } from "./kernel-param-defaults.ts";
import { kernelParamSpecController } from "./kernel-param-spec.ts";
import { kmsgLogConfigController } from "./kmsg-log-config.ts";
import { kmsgLogDeliveryController } from "./kmsg-log-delivery.ts";
import { legacyMountStatusController } from "./legacy-mount-status.ts";
import { loadedKernelModuleController } from "./loaded-kernel-module.ts";
import { logDeliveryController } from "./log-delivery.ts";
import { machineStatusPublisherController } from "./machine-status-publisher.ts";
import { machineStatusController } from "./machine-status.ts";
import { maintenanceConfigController } from "./maintenance-config.ts";
import { maintenanceServiceInformController } from "./maintenance-service-inform.ts";
import { oomController } from "./oom.ts";
import { operationsController } from "./operations.ts";
import { sbomItemController } from "./sbom-item.ts";
import { securityStateController } from "./security-state.ts";
import { versionController } from "./version.ts";
import { watchdogTimerConfigController } from "./watchdog-timer-config.ts";
import { watchdogTimerController } from "./watchdog-timer.ts";

/** Controllers of the machine as a whole. */
export const runtimeControllers: readonly ControllerRow[] = [
  pure(apiServiceConfigController),
  effect(bootedEntryController),
  effect((machine) => debugController(machine)),
  effect(devicesStatusController),
  effect(diagnosticsLoggerController),
  effect(diagnosticsController),
  effect(dropUpgradeFallbackController),
  effect(() => environmentController()),
  pure(eventsSinkConfigController),
  effect(eventsSinkController),
  effect(extensionServiceConfigFilesController),
  pure(extensionServiceConfigController),
  effect((machine) => extensionServiceController({ ...machine, registerProcess: createProcessRegistrar(machine) })),
  effect(extensionStatusController),
  pure(kernelModuleConfigController),
  effect((machine) => kernelModuleSpecController(machine)),
  effect(kernelCmdlineController),
  pure(kernelParamConfigController),
  effect(kernelParamDefaultsController),
  effect(kernelParamSpecController),
  pure(kmsgLogConfigController),
  effect(kmsgLogDeliveryController),
  effect(legacyMountStatusController),
  effect(loadedKernelModuleController),
  effect(logDeliveryController),
  effect(machineStatusPublisherController),
  effect(machineStatusController),
  effect(maintenanceConfigController),
  effect(maintenanceServiceInformController),
  effect((machine) => oomController(machine)),
  effect(operationsController),
  effect(sbomItemController),
  effect((machine) => securityStateController(machine)),
  effect(versionController),
  pure(watchdogTimerConfigController),
  effect(watchdogTimerController),
];
