export { APIServiceConfig, type APIServiceConfigSpec } from "./api-service-config.ts";
export { BootedEntry, type BootedEntrySpec } from "./booted-entry.ts";
export { DevicesStatus, type DevicesStatusSpec } from "./devices-status.ts";
export { Diagnostic, type DiagnosticSpec } from "./diagnostic.ts";
export { Environment, type EnvironmentSpec } from "./environment.ts";
export { EventSinkConfig, type EventSinkConfigSpec } from "./event-sink-config.ts";
export { ExtensionServiceConfig, type ExtensionServiceConfigSpec } from "./extension-service-config.ts";
export {
  ExtensionServiceConfigStatus,
  type ExtensionServiceConfigStatusSpec,
} from "./extension-service-config-status.ts";
export { ExtensionStatus, type ExtensionStatusSpec } from "./extension-status.ts";
export { KernelCmdline, type KernelCmdlineSpec } from "./kernel-cmdline.ts";
export { KernelModuleSpec, type KernelModuleSpecSpec } from "./kernel-module-spec.ts";
export { KernelParamDefaultSpec, type KernelParamDefaultSpecSpec } from "./kernel-param-default-spec.ts";
export { KernelParamSpec, type KernelParamSpecSpec } from "./kernel-param-spec.ts";
export { KernelParamStatus, type KernelParamStatusSpec } from "./kernel-param-status.ts";
export { KmsgLogConfig, type KmsgLogConfigSpec } from "./kmsg-log-config.ts";
export { LoadedKernelModule, type LoadedKernelModuleSpec } from "./loaded-kernel-module.ts";
export { MachineResetSignal, type MachineResetSignalSpec } from "./machine-reset-signal.ts";
export { MachineStatus, type MachineStatusSpec } from "./machine-status.ts";
export { MaintenanceServiceConfig, type MaintenanceServiceConfigSpec } from "./maintenance-service-config.ts";
export { MaintenanceServiceRequest, type MaintenanceServiceRequestSpec } from "./maintenance-service-request.ts";
export { MetaKey, type MetaKeySpec } from "./meta-key.ts";
export { MetaLoad, type MetaLoadSpec } from "./meta-load.ts";
export { OOMAction, type OOMActionSpec } from "./oom-action.ts";
export { Operation, type OperationSpec } from "./operation.ts";
export { OperationReport, type OperationReportSpec } from "./operation-report.ts";
export { PlatformMetadata, type PlatformMetadataSpec } from "./platform-metadata.ts";
export { RuntimeMountStatus, type RuntimeMountStatusSpec } from "./runtime-mount-status.ts";
export { SBOMItem, type SBOMItemSpec } from "./sbom-item.ts";
export { SecurityState, type SecurityStateSpec } from "./security-state.ts";
export { ServicePID, type ServicePIDSpec } from "./service-pid.ts";
export { SettingProblem, type SettingProblemSpec } from "./setting-problem.ts";
export { UniqueMachineToken, type UniqueMachineTokenSpec } from "./unique-machine-token.ts";
export { Version, type VersionSpec } from "./version.ts";
export { WatchdogTimerConfig, type WatchdogTimerConfigSpec } from "./watchdog-timer-config.ts";
export { WatchdogTimerStatus, type WatchdogTimerStatusSpec } from "./watchdog-timer-status.ts";
