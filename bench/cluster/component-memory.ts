import { readdir, readFile } from "node:fs/promises";
import type { ClusterPlan, NodePlan } from "@talos-ts/provision";

/** Command lines that components of a node are started with; the first that fits counts. */
const components: Readonly<Record<string, RegExp>> = {
  machined: /\/sbin\/init\0/,
  apid: /\/usr\/bin\/apid\0/,
  trustd: /\/usr\/bin\/trustd\0/,
  shims: /containerd-shim/,
  "containerd (both)": /\/containerd\0/,
  registryd: /registryd/,
  etcd: /\/etcd\0/,
  "kube-apiserver": /kube-apiserver\0/,
  "kube-controller-manager": /kube-controller-manager\0/,
  "kube-scheduler": /kube-scheduler\0/,
  kubelet: /kubelet\0/,
  "kube-proxy": /kube-proxy\0/,
  flannel: /flanneld\0/,
  CoreDNS: /coredns\0/,
};

/** Bytes of a node's components, shared pages counted in parts (PSS), the largest first; what has no name is `other`. */
export async function componentMemory(plan: ClusterPlan, node: NodePlan): Promise<ReadonlyMap<string, number>> {
  const group = `${plan.cgroup}/${node.name}`;
  const sums = new Map<string, number>();
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
    const groups = (await read("cgroup")).split("\n").map((line) => line.split(":").at(2) ?? "");
    if (!groups.some((path) => path === group || path.startsWith(`${group}/`))) continue;
    const words = await read("cmdline");
    const [name = "other"] = Object.entries(components).find(([, form]) => form.test(words)) ?? [];
    const kibibytes = Number(/^Pss:\s+(\d+) kB$/m.exec(await read("smaps_rollup"))?.[1] ?? 0);
    sums.set(name, (sums.get(name) ?? 0) + kibibytes * 1024);
  }
  return new Map([...sums].sort(([, left], [, right]) => right - left));
}
