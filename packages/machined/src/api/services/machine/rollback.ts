import type { BootLoader } from "../../../boot-loader.ts";
import type { Platform } from "../../../platform.ts";
import { requireOwnHardware } from "../../access/mode-support.ts";
import { startSequence, type StartSequenceDependencies } from "../../support/start-sequence.ts";
import type { MachineMethod } from "./method.ts";

export const rollback =
  (
    machine: StartSequenceDependencies & {
      readonly platform: Platform;
      readonly bootLoader: Pick<BootLoader, "rollBack">;
    },
  ): MachineMethod<"rollback"> =>
  async () => {
    requireOwnHardware(machine);
    const { version } = await machine.bootLoader.rollBack();
    machine.logger.info(`rolling back to ${version}`);
    startSequence(machine, "reboot");
    return { messages: [{}] };
  };
