import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { BootedEntry } from "@talos-ts/machinery/resources/runtime";
import type { BootLoader } from "../../boot-loader.ts";
import type { Platform } from "../../platform.ts";

/** Publishes the entry that the boot loader started the machine from; nothing for a container, or a machine that another way started. */
export function bootedEntryController(machine: {
  readonly platform: Pick<Platform, "mode">;
  readonly bootLoader: Pick<BootLoader, "booted">;
}): Controller {
  return reduceController({
    name: "runtime.BootedEntryController",
    inputs: [],
    outputs: [exclusive(BootedEntry)],
    async reduce() {
      if (machine.platform.mode === "container") return [];
      const bootedEntry = await machine.bootLoader.booted();
      if (bootedEntry === undefined) return [];
      return [createResource(BootedEntry, BootedEntry.id, BootedEntry.spec({ bootedEntry }))];
    },
  });
}
