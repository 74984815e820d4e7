import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createChannel, createClient, type Channel, type ClientTls } from "@talos-ts/grpc";
import { buildRootfs, systemDaemons } from "@talos-ts/imager";
import { parseKubeconfig, type KubernetesAccess } from "@talos-ts/kubernetes";
import { talosVersion } from "@talos-ts/machinery/constants";
import { contextTls } from "@talos-ts/machinery/client";
import { contextCredentials, openTalosconfig, resolveContext } from "@talos-ts/machinery/talosconfig";
import { Maintenance } from "@talos-ts/proto/etcd/rpc";
import {
  planCluster,
  showCluster,
  startCluster,
  stopCluster,
  type ClusterPlan,
  type NodePlan,
} from "@talos-ts/provision";
import { recordRun, removeAbandoned } from "./abandoned-run.ts";
import { createHome, type Home } from "../integration/cluster-support.ts";
import { processesOf, type NodeProcess } from "../integration/lifecycle-support.ts";
import { leftovers } from "../integration/provision-support.ts";

/** A cluster of three control planes that faults are done to. */
export interface ChaosCluster extends AsyncDisposable {
  readonly home: Home;
  readonly plan: ClusterPlan;
  /** Credentials of an administrator of etcd. */
  readonly etcdTls: ClientTls;
  /** Credentials of the machine API. */
  readonly apiTls: ClientTls;
  /** The way to Kubernetes through the load balancer of the cluster. */
  readonly kubernetes: KubernetesAccess;
  /** The status of the etcd member of a node. @throws when it does not answer within 2 s */
  etcdStatus(node: NodePlan): Promise<EtcdStatus>;
  /** The node of the present leader of etcd; `undefined` while there is none. */
  leader(): Promise<NodePlan | undefined>;
  /** Process of a node on this host, which is its process 1; 0 when it does not run. */
  init(node: NodePlan): Promise<number>;
  /** Processes of a node whose command line begins so. */
  processes(node: NodePlan, program: string): Promise<readonly NodeProcess[]>;
  /** Removes the container of a node without asking it; its volumes stay. */
  removeContainer(node: NodePlan): Promise<void>;
  /** Switches nodes on that do not run; those that run go on. */
  powerOn(nodes: readonly NodePlan[]): Promise<void>;
  /** Runs `talosctl` against a node. @throws when it fails */
  talosctl(node: NodePlan, ...args: readonly string[]): Promise<string>;
}

export interface EtcdStatus {
  readonly member: bigint;
  /** 0 when the member knows no leader. */
  readonly leader: bigint;
  readonly learner: boolean;
  readonly revision: bigint;
  readonly appliedIndex: bigint;
}

/** Creates the cluster and waits until Kubernetes is healthy. */
export async function createChaosCluster(name: string, subnet: string, workers = 0): Promise<ChaosCluster> {
  await removeAbandoned(name);
  const home = await createHome();
  await using made = new AsyncDisposableStack();
  made.use(home);
  made.use(await recordRun(name, home.path));
  const clustersDirectory = join(home.path, ".talos/clusters");
  const plan = planCluster({ name, subnet, controlPlanes: 3, workers, kubernetes: true }, clustersDirectory);
  made.defer(async () => void (await home.talosctl("cluster", "destroy", "--name", name)));
  const size = ["--controlplanes", "3", "--workers", String(workers)];
  const flags = ["--name", name, "--subnet", subnet, ...size, "--images", "build", "--wait-timeout", "15m"];
  const out = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await home.talosctl(...args);
    if (code !== 0) throw new Error(`talosctl ${args.join(" ")} ended with ${String(code)}: ${stdout}${stderr}`);
    return stdout;
  };
  await out("cluster", "create", ...flags);
  const { config } = await openTalosconfig(join(home.path, ".talos/config"), { env: {} });
  const apiTls = contextTls(contextCredentials(resolveContext(config), config.context));
  const kubernetes = await parseKubeconfig(await readFile(join(home.path, ".kube/config"), "utf8"));
  const [first = ""] = plan.nodes.map(({ address }) => address);
  const secret = (file: string): Promise<string> => out("-n", first, "read", `/system/secrets/etcd/${file}`);
  const material = { ca: await secret("ca.crt"), cert: await secret("admin.crt"), key: await secret("admin.key") };
  const etcdTls: ClientTls = { material };
  const members = plan.nodes.filter(({ type }) => type === "controlplane");
  const owned = made.move();

  const etcdStatus = async (node: NodePlan): Promise<EtcdStatus> => {
    await using channel: Channel = createChannel({
      target: `${node.address}:2379`,
      tls: etcdTls,
      connectTimeoutMs: 2000,
    });
    const status = await createClient(Maintenance, channel).status({}, { timeoutMs: 2000 });
    return {
      member: status.header?.memberId ?? 0n,
      leader: status.leader,
      learner: status.isLearner,
      revision: status.header?.revision ?? 0n,
      appliedIndex: status.raftAppliedIndex,
    };
  };
  return {
    home,
    plan,
    etcdTls,
    apiTls,
    kubernetes,
    etcdStatus,
    async leader() {
      const found = await Promise.all(
        members.map(async (node) => {
          const status = await etcdStatus(node).catch(() => undefined);
          return status !== undefined && status.member === status.leader ? node : undefined;
        }),
      );
      return found.find((node) => node !== undefined);
    },
    async init(node) {
      const { nodes } = await showCluster(name, clustersDirectory);
      return nodes.find((each) => each.name === node.name)?.pid ?? 0;
    },
    processes: async (node, program) =>
      (await processesOf(plan, node)).filter(({ words, state }) => state !== "Z" && words.startsWith(program)),
    async removeContainer(node) {
      await stopCluster({ name, clustersDirectory, nodes: [node.name], graceMs: 0 });
    },
    async powerOn(nodes) {
      const image = () => buildRootfs({ daemons: systemDaemons(), version: talosVersion });
      await startCluster({ name, clustersDirectory, nodes: nodes.map((node) => node.name), image });
    },
    talosctl: (node, ...args) => out("-n", node.address, ...args),
    async [Symbol.asyncDispose]() {
      await owned.disposeAsync();
      const left = await leftovers(plan);
      if (left.length > 0) throw new Error(`left of cluster ${name}: ${left.join(", ")}`);
    },
  };
}
