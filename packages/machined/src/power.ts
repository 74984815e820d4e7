import { OsError } from "@talos-ts/base";
import type { PowerControl } from "./sequencer/tasks/index.ts";

/**
 * Power of a machine that is a container: its first process replaces itself to start anew, and ends to go down. The process
 * id stays, so whoever started the container sees one long life.
 */
export const containerPower: PowerControl = {
  async reboot() {
    const { execPath, execArgv, argv } = process;
    process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], process.env);
    throw new OsError({ kind: "unimplemented", message: "Cannot restart: this Node cannot replace its process" });
  },
  async powerOff() {
    process.exit(0);
  },
};
