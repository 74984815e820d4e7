import { readdir, readFile, rm } from "node:fs/promises";
import { createLinuxMounts, createLinuxNetworks } from "@talos-ts/linux";
import { showCluster, type ClusterPlan } from "@talos-ts/provision";

/** A process of a node that a fault may hit, as the host sees it. */
export interface Program {
  readonly pid: number;
  /** Its path, and the socket of a containerd, as there are two. */
  readonly name: string;
}

/** Programs whose restarts are counted. */
const counted = /^(?:\/usr\/local\/bin\/|\/opt\/bin\/|\/bin\/containerd$|\/pause$|\/coredns$)/;

/** Lists the programs of Kubernetes, etcd, pods and containerds on a node. */
export async function programsOf(node: string): Promise<readonly Program[]> {
  const found: Candidate[] = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const groups = await readFile(`/proc/${entry}/cgroup`, "utf8").catch(() => "");
    if (!groups.includes(`/${node}`)) continue;
    const words = (await readFile(`/proc/${entry}/cmdline`, "utf8").catch(() => "")).split("\0");
    const [path = "", , socket = ""] = words;
    if (!counted.test(path)) continue;
    const status = await readFile(`/proc/${entry}/status`, "utf8").catch(() => "");
    const parent = Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
    found.push({ pid: Number(entry), name: path === "/bin/containerd" ? socket : path, parent });
  }
  // A child that has not begun its own program yet still has the words of its parent.
  const isCopy = ({ name, parent }: Candidate): boolean =>
    found.some((other) => other.pid === parent && other.name === name);
  return found.filter((each) => !isCopy(each)).map(({ pid, name }) => ({ pid, name }));
}

interface Candidate extends Program {
  readonly parent: number;
}

/** Does to a cluster what a restart of the host does: no process, no mount, no link and no folder in memory is left. */
export async function restartHost(plan: ClusterPlan, name: string, clustersDirectory: string): Promise<void> {
  for (const pid of await hostProcesses(plan)) process.kill(pid, "SIGKILL");
  for (const { pid } of (await showCluster(name, clustersDirectory)).nodes) if (pid > 0) process.kill(pid, "SIGKILL");
  const mounts = createLinuxMounts();
  const targets = (await mounts.list())
    .map(({ target }) => target)
    .filter((target) => target.startsWith(plan.directory));
  for (const target of targets.reverse()) await mounts.unmount(target, { detach: true });
  using network = createLinuxNetworks().here;
  const bridge = await network.link(plan.bridge);
  if (bridge !== undefined) await network.deleteLink(bridge.index);
  await rm(plan.runtimeDirectory, { recursive: true });
}

/** Processes of a cluster beside its nodes: discovery service, load balancer, supervisor. */
async function hostProcesses({ directory }: ClusterPlan): Promise<readonly number[]> {
  const found: number[] = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const words = await readFile(`/proc/${entry}/cmdline`, "utf8").catch(() => "");
    if (words.endsWith(`\0--cluster-directory\0${directory}\0`)) found.push(Number(entry));
  }
  return found;
}
