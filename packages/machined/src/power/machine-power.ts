import { describeError, type Clock } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { Linux, RebootCommand } from "@talos-ts/linux";
import type { PowerControl } from "../power.ts";
import { endProcesses } from "./end-processes.ts";
import { mountsSince } from "./mounts-since.ts";

export interface MachinePowerOptions {
  readonly linux: Pick<Linux, "mounts" | "processes" | "procfs" | "system">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Controls the power of a machine with a kernel of its own. To be called before anything is mounted. */
export async function createMachinePower({ linux, clock, logger }: MachinePowerOptions): Promise<PowerControl> {
  const mounts = await mountsSince(linux.mounts);
  const end = async (command: RebootCommand): Promise<void> => {
    await linux.system
      .sync()
      .catch((err: unknown) => logger.warn("cannot write the disks", { error: describeError(err) }));
    linux.system.reboot(command);
  };
  return {
    async quiesce() {
      const remaining = await endProcesses(linux, clock);
      if (remaining.length > 0) logger.warn("processes did not exit after SIGKILL", { pids: remaining.join(", ") });
      await mounts.unmount();
    },
    reboot: () => end("restart"),
    powerOff: () => end("power-off"),
  };
}
