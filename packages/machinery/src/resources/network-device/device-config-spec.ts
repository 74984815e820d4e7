import { defineResource, field, type SpecOf } from "../dsl/index.ts";
import { yamlObject } from "../values/yaml-object.ts";

/** An entry of `machine.network.interfaces`. */
export const DeviceConfigSpec = defineResource({
  type: "DeviceConfigSpecs.net.talos.dev",
  namespace: "network",
  sensitivity: "sensitive",
  spec: { device: field(1, yamlObject) },
});

export type DeviceConfigSpecSpec = SpecOf<typeof DeviceConfigSpec>;
