export { MemoryModule, type MemoryModuleSpec } from "./memory-module.ts";
export { PCIDevice, type PCIDeviceSpec } from "./pci-device.ts";
export { PCIDriverRebindConfig, type PCIDriverRebindConfigSpec } from "./pci-driver-rebind-config.ts";
export { PCIDriverRebindStatus, type PCIDriverRebindStatusSpec } from "./pci-driver-rebind-status.ts";
export { PCRStatus, type PCRStatusSpec } from "./pcr-status.ts";
export { Processor, type ProcessorSpec } from "./processor.ts";
export { SystemInformation, type SystemInformationSpec } from "./system-information.ts";
