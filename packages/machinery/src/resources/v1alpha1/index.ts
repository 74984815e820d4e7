export { AcquireConfigSpec, type AcquireConfigSpecSpec } from "./acquire-config-spec.ts";
export { AcquireConfigStatus, type AcquireConfigStatusSpec } from "./acquire-config-status.ts";
export { Service, type ServiceSpec } from "./service.ts";
