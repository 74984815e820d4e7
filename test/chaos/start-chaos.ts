import { createChaosCluster, type ChaosCluster } from "./chaos-cluster.ts";
import { createEtcdStore } from "./etcd-store.ts";
import { createKubernetesStore } from "./kubernetes-store.ts";
import { startWriters, type Writers } from "./writers.ts";

/** A cluster and the writers that work on it. */
export interface Chaos extends AsyncDisposable {
  readonly cluster: ChaosCluster;
  readonly writers: readonly Writers[];
}

export interface ChaosOptions {
  readonly name: string;
  readonly subnet: string;
  readonly seed: number;
}

/** Creates the cluster and starts writers of etcd, through the members, and of Kubernetes, through the load balancer. */
export async function startChaos({ name, subnet, seed }: ChaosOptions): Promise<Chaos> {
  await using made = new AsyncDisposableStack();
  const cluster = made.use(await createChaosCluster(name, subnet));
  const members = cluster.plan.nodes.filter(({ type }) => type === "controlplane");
  const targets = members.map(({ address }) => `${address}:2379`);
  const shared = { seed, registers: 3, pauseMs: 60 };
  const writers = [
    made.use(startWriters({ ...shared, store: createEtcdStore(targets, cluster.etcdTls), clients: 4 })),
    made.use(startWriters({ ...shared, store: createKubernetesStore(cluster.kubernetes), clients: 3 })),
  ];
  const owned = made.move();
  return { cluster, writers, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
