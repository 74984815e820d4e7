import { createResource, findTyped, updateTyped, type State } from "@talos-ts/cosi";
import { configText, type Config } from "@talos-ts/machinery/config";
import { MachineConfig } from "@talos-ts/machinery/resources";
import type { ConfigStore } from "../config-store.ts";
import { parsedConfig, rememberConfig } from "./parsed-config.ts";

/** Creates a store whose only memory is the state: `MachineConfig` resources, which controllers watch. */
export function createConfigStore(state: State): ConfigStore {
  async function put(id: string, config: Config): Promise<void> {
    const text = configText(config);
    rememberConfig(config);
    const stored = await findTyped(state, MachineConfig, id);
    if (stored === undefined)
      await state.create(createResource(MachineConfig, id, text, { annotations: { "talos.dev/yaml-spec": "1" } }));
    else await updateTyped(state, MachineConfig, id, () => text);
  }

  return {
    async current() {
      const active = await findTyped(state, MachineConfig, MachineConfig.ids.active);
      return active?.metadata.phase === "running" ? parsedConfig(active) : undefined;
    },
    activate: (config) => put(MachineConfig.ids.active, config),
    persist: (config) => put(MachineConfig.ids.persistent, config),
  };
}
