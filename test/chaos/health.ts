import { setTimeout as pause } from "node:timers/promises";
import { describeError } from "@talos-ts/base";
import { createChannel, createClient } from "@talos-ts/grpc";
import { createKubernetesClient, kinds, type NodeObject } from "@talos-ts/kubernetes";
import { apidPort, defaultControlPlanePort } from "@talos-ts/machinery/constants";
import { Maintenance } from "@talos-ts/proto/etcd/rpc";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { NodePlan } from "@talos-ts/provision";
import type { ChaosCluster, EtcdStatus } from "./chaos-cluster.ts";

const timeoutMs = 4000;
const pollMs = 500;

/** Waits until everything works again without anybody's help. @throws what is still wrong when the time is over */
export async function untilHealthy(cluster: ChaosCluster, limitMs: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    const problems = await findProblems(cluster);
    if (problems.length === 0) return;
    if (performance.now() > until) {
      throw new Error(`not healthy after ${String(limitMs / 1000)} s: ${problems.join("; ")}`);
    }
    await pause(pollMs, undefined, { signal });
  }
}

/** Tells what is wrong with etcd, the API servers, the nodes and their machine API; nothing when all is well. */
async function findProblems(cluster: ChaosCluster): Promise<readonly string[]> {
  const { nodes } = cluster.plan;
  const controlPlanes = nodes.filter(({ type }) => type === "controlplane");
  const checks: readonly (readonly [name: string, check: () => Promise<void>])[] = [
    ["etcd", () => checkEtcd(cluster, controlPlanes)],
    ["nodes", () => checkNodes(cluster)],
    ...controlPlanes.map((node) => [`API server of ${node.name}`, () => checkApiServer(cluster, node)] as const),
    ...nodes.map((node) => [`machine API of ${node.name}`, () => checkMachine(cluster, node)] as const),
  ];
  const found = await Promise.all(
    checks.map(([name, check]) =>
      check().then(
        () => [],
        (err: unknown) => [`${name}: ${describeError(err)}`],
      ),
    ),
  );
  return found.flat();
}

/** Every member votes, all know the same leader, and the same revision has the same contents everywhere. */
async function checkEtcd(cluster: ChaosCluster, nodes: readonly NodePlan[]): Promise<void> {
  const statuses = await Promise.all(nodes.map((node) => cluster.etcdStatus(node)));
  if (statuses.some(({ learner }) => learner)) throw new Error("a member is a learner");
  const leaders = new Set(statuses.map(({ leader }) => leader));
  if (leaders.size !== 1 || leaders.has(0n)) throw new Error("members do not agree on a leader");
  const revision = statuses.map((status: EtcdStatus) => status.revision).reduce((a, b) => (a < b ? a : b));
  const hashes = await Promise.all(
    nodes.map(async (node) => {
      await using channel = createChannel({ target: `${node.address}:2379`, tls: cluster.etcdTls });
      const { hash, compactRevision } = await createClient(Maintenance, channel).hashKV({ revision }, { timeoutMs });
      return `${String(hash)} compacted at ${String(compactRevision)}`;
    }),
  );
  if (new Set(hashes).size !== 1) throw new Error(`revision ${String(revision)} differs: ${hashes.join(", ")}`);
}

async function checkNodes(cluster: ChaosCluster): Promise<void> {
  using client = createKubernetesClient({ access: cluster.kubernetes, timeoutMs });
  const { items } = await client.list<NodeObject>(kinds.node);
  const ready = items.filter(({ status }) =>
    status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True"),
  );
  if (ready.length !== cluster.plan.nodes.length) throw new Error(`${String(ready.length)} are Ready`);
}

async function checkApiServer({ kubernetes }: ChaosCluster, { address }: NodePlan): Promise<void> {
  const server = `https://${address}:${String(defaultControlPlanePort)}`;
  using client = createKubernetesClient({ access: { ...kubernetes, server }, timeoutMs });
  await client.text("/readyz");
}

async function checkMachine({ apiTls }: ChaosCluster, { address }: NodePlan): Promise<void> {
  await using channel = createChannel({
    target: `${address}:${String(apidPort)}`,
    tls: apiTls,
    connectTimeoutMs: timeoutMs,
  });
  await createClient(MachineService, channel).version({}, { timeoutMs });
}
