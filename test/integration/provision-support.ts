import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { buildRootfs, type Rootfs } from "@talos-ts/imager";
import type { ProgressEvent } from "@talos-ts/host";
import { createLinuxMounts, createLinuxNetworks } from "@talos-ts/linux";
import { planCluster, type ClusterPlan } from "@talos-ts/provision";
import { noteClusters } from "../../scripts/lib/suite-clusters.ts";

/** An image whose init only answers questions about its machine. */
export function testImage(): Promise<Rootfs> {
  const entry = join(import.meta.dirname, "provision-init.ts");
  const program = "usr/sbin/init";
  return buildRootfs({ daemons: [{ name: "machined", entry, program, flag: "--max-semi-space-size=8" }] });
}

/** A folder for clusters that vanishes with the suite. */
export async function clustersFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "provision-"));
  noteClusters({ folder: path, clustersDirectory: path });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** Lists what is left of a cluster on the host: links, mounts, loop devices, control groups, processes and folders. */
export async function leftovers(plan: ClusterPlan): Promise<string[]> {
  const mounts = await createLinuxMounts().list();
  using network = createLinuxNetworks().here;
  const links = (await network.links()).map(({ name }) => name);
  const ours = new Set([plan.bridge, ...plan.nodes.map(({ link }) => link)]);
  const groups = mounts.filter(({ type }) => type.startsWith("cgroup")).map(({ target }) => join(target, plan.cgroup));
  const found = await Promise.all([plan.directory, plan.runtimeDirectory, ...groups].map(isFolder));
  return [
    ...links.filter((name) => ours.has(name)).map((name) => `link ${name}`),
    ...mounts.filter(({ target }) => target.startsWith(plan.directory)).map(({ target }) => `mount ${target}`),
    ...found.flat(),
    ...(await processesOf(plan)),
  ];
}

async function isFolder(path: string): Promise<string[]> {
  return readdir(path).then(
    () => [`folder ${path}`],
    () => [],
  );
}

/** Processes whose container carries a name of the plan, or that work for it. */
async function processesOf(plan: ClusterPlan): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const groups = await readFile(`/proc/${pid}/cgroup`, "utf8").catch(() => "");
      const words = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      // A process without words has ended; only its parent has not noticed yet.
      const concerned =
        words !== "" &&
        (groups.includes(plan.cgroup) || [plan.runtimeDirectory, plan.directory].some((path) => words.includes(path)));
      return concerned ? [`process ${pid} ${words.replaceAll("\0", " ")}`] : [];
    }),
  );
  return found.flat();
}

/** Starts `cluster create` in a process of its own and calls back with everything it reports. */
export function createElsewhere(
  clusters: string,
  name: string,
  subnet: string,
  onEvent: (event: ProgressEvent, child: ChildProcess) => void,
): Promise<void> {
  const driver = join(import.meta.dirname, "provision-driver.ts");
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", driver, clusters, name, subnet], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  createInterface(child.stdout).on("line", (line) => onEvent(JSON.parse(line) as ProgressEvent, child));
  return new Promise((resolve) => child.once("close", () => resolve()));
}

export function planOf(clusters: string, name: string, subnet: string): ClusterPlan {
  return planCluster({ name, subnet }, clusters);
}
