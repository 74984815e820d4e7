import { describeError, OsError, type Clock } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import type { PowerControl } from "../power.ts";
import { emptyMemory } from "./empty-memory.ts";
import { endProcesses } from "./end-processes.ts";
import type { RunRecord } from "./last-run.ts";
import { mountsSince } from "./mounts-since.ts";

export interface ContainerPowerOptions {
  readonly linux: Pick<Linux, "mounts" | "processes" | "procfs">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly record: Pick<RunRecord, "end">;
}

/**
 * Controls the power of a machine that is a container: PID 1 replaces itself with execve(2) to reboot, and exits to power
 * off. The process id stays, so a reboot does not end the container.
 *
 * A restart leaves what a restart leaves on hardware: no other process, no mount that was made on the way, nothing in
 * memory, and the environment the machine was born with. To be called before anything is mounted.
 */
export async function createContainerPower({
  linux,
  clock,
  logger,
  record,
}: ContainerPowerOptions): Promise<PowerControl> {
  const environment = { ...process.env };
  const mounts = await mountsSince(linux.mounts);

  return {
    async quiesce() {
      // Elsewhere the other processes are not this machine's.
      if (process.pid === 1) {
        const remaining = await endProcesses(linux, clock);
        if (remaining.length > 0) logger.warn("processes did not exit after SIGKILL", { pids: remaining.join(", ") });
      }
      await mounts.unmount();
    },
    async reboot() {
      await emptyMemory(await linux.mounts.list()).catch((err: unknown) =>
        logger.warn("cannot clear in-memory files of the last run", { error: describeError(err) }),
      );
      await record.end("reboot");
      const { execPath, execArgv, argv } = process;
      process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], environment);
      throw new OsError({ kind: "unimplemented", message: "Cannot restart: this Node cannot replace its process" });
    },
    async powerOff() {
      await record.end("off");
      process.exit(0);
    },
  };
}
