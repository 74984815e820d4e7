import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { TimeServerStatus } from "@talos-ts/machinery/resources/network";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import type { Platform } from "../../platform.ts";

/**
 * True when the clock can be relied on. The clock of a container is that of its host: there is nothing to do but to say so.
 */
export function timeSyncController(machine: { readonly platform: Platform }): Controller {
  return reduceController({
    name: "time.SyncController",
    inputs: [weak(TimeServerStatus, { id: TimeServerStatus.id })],
    outputs: [exclusive(TimeStatus)],
    async reduce(context) {
      const servers = await context.find(TimeServerStatus, TimeServerStatus.id);
      if (servers === undefined || machine.platform.mode !== "container") return undefined;
      return [createResource(TimeStatus, TimeStatus.id, { synced: true, epoch: 0, syncDisabled: true })];
    },
  });
}
