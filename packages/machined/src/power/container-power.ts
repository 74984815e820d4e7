import { describeError, OsError, type Clock } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import type { PowerControl } from "../power.ts";
import { emptyMemory } from "./empty-memory.ts";
import { endProcesses } from "./end-processes.ts";
import { mountsSince } from "./mounts-since.ts";

export interface ContainerPowerOptions {
  readonly linux: Pick<Linux, "mounts" | "processes" | "procfs">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Power of a machine that is a container: its first process replaces itself to start anew, and ends to go down. The process
 * id stays, so whoever started the container sees one long life.
 *
 * A restart leaves what a restart leaves on hardware: no other process, no mount that was made on the way, nothing in
 * memory, and the environment the machine was born with. To be called before anything is mounted.
 */
export async function createContainerPower({ linux, clock, logger }: ContainerPowerOptions): Promise<PowerControl> {
  const environment = { ...process.env };
  const made = await mountsSince(linux.mounts);

  return {
    async quiesce() {
      // Elsewhere the other processes are not this machine's.
      if (process.pid === 1) {
        const stubborn = await endProcesses(linux, clock);
        if (stubborn.length > 0) logger.warn("processes do not end", { pids: stubborn.join(", ") });
      }
      await made.unmount();
    },
    async reboot() {
      await emptyMemory(await linux.mounts.list()).catch((err: unknown) =>
        logger.warn("cannot clear in-memory files of the last run", { error: describeError(err) }),
      );
      const { execPath, execArgv, argv } = process;
      process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], environment);
      throw new OsError({ kind: "unimplemented", message: "Cannot restart: this Node cannot replace its process" });
    },
    async powerOff() {
      process.exit(0);
    },
  };
}
