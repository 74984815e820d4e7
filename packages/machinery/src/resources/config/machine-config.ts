import { defineResource, wrapped, type SpecOf } from "../dsl/index.ts";
import { textAsBytes } from "../values/index.ts";

/**
 * The machine configuration as YAML text: the one in effect, and the one on disk when it differs.
 *
 * Clients look for the annotation `talos.dev/yaml-spec` (of any value) before they take the spec for text.
 */
export const MachineConfig = defineResource({
  type: "MachineConfigs.config.talos.dev",
  namespace: "config",
  sensitivity: "sensitive",
  ids: { active: "v1alpha1", persistent: "persistent" },
  spec: wrapped(1, textAsBytes),
});

export type MachineConfigSpec = SpecOf<typeof MachineConfig>;
