export { ConfigPersistStatus, type ConfigPersistStatusSpec } from "./config-persist-status.ts";
export { MachineConfig, type MachineConfigSpec } from "./machine-config.ts";
export { MachineConfigHistory, type MachineConfigHistorySpec } from "./machine-config-history.ts";
export { MachineType, type MachineTypeSpec } from "./machine-type.ts";
