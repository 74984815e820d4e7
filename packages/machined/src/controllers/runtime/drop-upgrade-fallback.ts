import { describeError } from "@talos-ts/base";
import { reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { MachineStatus } from "@talos-ts/machinery/resources/runtime";
import type { BootLoader } from "../../boot-loader.ts";
import type { Platform } from "../../platform.ts";

/**
 * Ends the trial of a new version as soon as the machine is ready with it. Until then every start counts, and after the last one the
 * boot loader takes the version before.
 */
export function dropUpgradeFallbackController(machine: {
  readonly platform: Pick<Platform, "mode">;
  readonly bootLoader: Pick<BootLoader, "keep">;
}): Controller {
  let done = machine.platform.mode === "container";
  return reconcileController({
    name: "runtime.DropUpgradeFallbackController",
    inputs: [weak(MachineStatus, { id: MachineStatus.id })],
    outputs: [],
    async reconcile(context) {
      if (done) return;
      const status = (await context.find(MachineStatus, MachineStatus.id))?.spec;
      if (status?.stage !== "running" || !status.status.ready) return;
      try {
        const entry = await machine.bootLoader.keep();
        done = true;
        if (entry !== undefined) context.logger.info("the new version stays", { version: entry.version });
      } catch (err) {
        context.logger.warn("cannot end the trial of the new version", { error: describeError(err) });
        throw err;
      }
    },
  });
}
