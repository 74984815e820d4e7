import { spawn } from "node:child_process";
import { openSync, closeSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { hostPort, OsError, systemClock, within } from "@talos-ts/base";
import type { ClusterPlan } from "./cluster-plan.ts";

/** Port of the discovery service on the gateway of a cluster, which is an address of the host. */
const port = 3000;

/** Word by which the process is recognised; the folder of the cluster follows it. */
const marker = "--cluster-directory";
const logFile = "discovery.log";
const startMs = 15_000;
const pauseMs = 50;

/** Where the nodes of a cluster find each other. Not encrypted: what they tell is, and it never leaves the host. */
export function discoveryEndpoint({ network }: Pick<ClusterPlan, "network">): string {
  return `http://${hostPort(network.gateway, port)}/`;
}

/**
 * Starts the discovery service of a cluster unless it runs; resolves when it listens. It outlives this process and belongs to the
 * cluster: `endDiscovery` ends it.
 *
 * @param command Command line of a program that takes `--listen` and `--cluster-directory`.
 */
export async function startDiscovery(
  { directory, network }: Pick<ClusterPlan, "directory" | "network">,
  command: readonly string[],
): Promise<void> {
  if ((await findProcesses(directory)).length === 0) {
    const [program = "", ...args] = command;
    const log = openSync(join(directory, logFile), "a", 0o600);
    const child = spawn(program, [...args, "--listen", hostPort(network.gateway, port), marker, directory], {
      detached: true,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    child.on("error", () => undefined);
    child.unref();
  }
  const waiting = new AbortController();
  const listening = (async () => {
    while (!(await accepts(network.gateway))) await systemClock.sleep(pauseMs, waiting.signal);
  })();
  listening.catch(() => undefined);
  const { late } = await within(listening, startMs);
  waiting.abort();
  if (!late) return;
  throw new OsError({
    kind: "unavailable",
    code: "provision/no-discovery",
    message: `Started the discovery service of the cluster, but nothing listens on ${hostPort(network.gateway, port)}`,
    next: `cat ${join(directory, logFile)}`,
  });
}

/** Ends the discovery service of a cluster; one that does not run is no error. */
export async function endDiscovery(directory: string): Promise<void> {
  for (const pid of await findProcesses(directory)) {
    try {
      process.kill(pid, "SIGTERM");
    } catch {
      // It ended by itself in the meantime.
    }
  }
}

async function findProcesses(directory: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const words = (await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "")).split("\0");
    const at = words.indexOf(marker);
    if (at !== -1 && words[at + 1] === directory) found.push(Number(name));
  }
  return found;
}

async function accepts(host: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
