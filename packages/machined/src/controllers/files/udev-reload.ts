import { describeError } from "@talos-ts/base";
import { weak, type Controller } from "@talos-ts/cosi";
import { EtcFileStatus } from "@talos-ts/machinery/resources/files";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { announceDevices, udevadm, type RunUdevadm } from "../../services/definitions/udevd.ts";
import { udevRulesFile } from "./udev-rule.ts";

/** Makes a running udevd read changed rules and apply them to the devices there are. */
export function udevReloadController(_machine: object = {}, run: RunUdevadm = udevadm): Controller {
  return {
    name: "files.UdevReloadController",
    inputs: [weak(EtcFileStatus, { id: udevRulesFile }), weak(Service, { id: "udevd" })],
    outputs: [],
    async run(context) {
      let applied: string | undefined;
      for await (const _event of context.events) {
        const udevd = await context.find(Service, "udevd");
        const file = await context.find(EtcFileStatus, udevRulesFile);
        const version = file?.metadata.phase === "running" ? file.spec.specVersion : undefined;
        if (udevd?.spec.healthy !== true || version === applied) continue;
        if (version !== undefined)
          await verify(context.signal, (error) => context.logger.warn("invalid udev rule", { error }));
        await run(["control", "--reload"], context.signal);
        await announceDevices(run, context.signal);
        applied = version;
        context.logger.info("udev rules reloaded");
        context.resetRestartBackoff();
      }
    },
  };

  /** udevd skips a rule that it does not understand; this says which. */
  async function verify(signal: AbortSignal, warn: (error: string) => void): Promise<void> {
    await run(["verify", `/etc/${udevRulesFile}`], signal).catch((err: unknown) => warn(describeError(err)));
  }
}
