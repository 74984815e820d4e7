import { createResource, findTyped, updateTyped, type State } from "@talos-ts/cosi";
import { configText, type Config } from "@talos-ts/machinery/config";
import { MachineConfig } from "@talos-ts/machinery/resources";
import type { ConfigStore } from "../machine.ts";

/** Keeps the configuration where everything else is kept: as resources that controllers watch. */
export function createConfigStore(state: State): ConfigStore {
  let active: Config | undefined;

  async function put(id: string, config: Config): Promise<void> {
    const text = configText(config);
    const stored = await findTyped(state, MachineConfig, id);
    if (stored === undefined)
      await state.create(createResource(MachineConfig, id, text, { annotations: { "talos.dev/yaml-spec": "1" } }));
    else await updateTyped(state, MachineConfig, id, () => text);
  }

  return {
    current: () => active,
    async activate(config) {
      active = config;
      await put(MachineConfig.ids.active, config);
    },
    persist: (config) => put(MachineConfig.ids.persistent, config),
  };
}
