export { ConfigPersistStatus, type ConfigPersistStatusSpec } from "./config-persist-status.ts";
export { MachineConfig, type MachineConfigSpec } from "./machine-config.ts";
export { MachineType, type MachineTypeSpec } from "./machine-type.ts";
