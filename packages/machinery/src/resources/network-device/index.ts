// Apart from the other network resources, because it travels as YAML: whoever needs those need not load a YAML library.
export { DeviceConfigSpec, type DeviceConfigSpecSpec } from "./device-config-spec.ts";
