import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** A program under way. */
export interface Daemon extends AsyncDisposable {
  /** Address it listens on. */
  readonly address: string;
  /** CPU time it has used, in seconds. */
  cpuSeconds(): number;
  /** Resident memory, in MiB. */
  rssMiB(): number;
}

/** Clock ticks per second of `/proc/<pid>/stat`; Linux has the same for all programs. */
const ticksPerSecond = 100;

/** Starts a program that says where it listens and that ends with its input. */
export async function startDaemon(command: string, args: readonly string[]): Promise<Daemon> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const first = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: address } = await first.next();
  if (address === undefined) throw new Error(`Started ${command} ${args[0] ?? ""}: it ended before it listened`);
  return {
    address,
    cpuSeconds() {
      // The name in field 2 may have spaces; utime and stime are fields 14 and 15.
      const fields = readFileSync(`/proc/${String(child.pid)}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    },
    rssMiB() {
      const status = readFileSync(`/proc/${String(child.pid)}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}
