import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@talos-ts/base";
import type { Progress } from "@talos-ts/host";
import type { ClusterIdentity } from "../cluster-identity.ts";
import { takeDown } from "../container/take-down.ts";
import { qemuProgram } from "./qemu-command.ts";

const pauseMs = 50;

/** Ends the machines of a cluster, found by the folder of their sockets, and then removes network, mounts and that folder. */
export async function takeDownMachines(cluster: ClusterIdentity, progress: Progress): Promise<void> {
  const marks = `${cluster.runtimeDirectory}/`;
  for (;;) {
    const found = await machinesIn(marks);
    if (found.length === 0) break;
    for (const pid of found) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself in the meantime.
      }
    }
    await systemClock.sleep(pauseMs);
  }
  await takeDown(cluster, progress);
}

async function machinesIn(runtimeDirectory: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const words = (await readFile(join("/proc", name, "cmdline"), "utf8").catch(() => "")).split("\0");
    const pidFile = words[words.indexOf("-pidfile") + 1] ?? "";
    if ((words[0] ?? "").endsWith(qemuProgram) && pidFile.startsWith(runtimeDirectory)) found.push(Number(name));
  }
  return found;
}
