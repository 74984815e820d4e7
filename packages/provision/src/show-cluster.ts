import { formatTable } from "@talos-ts/base";
import type { Death } from "@talos-ts/machinery/power-record";
import { clustersDirectory, type ClusterPhase } from "./cluster-state.ts";
import type { NodePlan } from "./cluster-plan.ts";
import { kubernetesEndpoint } from "./control-plane-endpoint.ts";
import type { NodeStatus } from "./provisioner.ts";
import { provisionerOf } from "./provisioners.ts";
import { requireState } from "./require-state.ts";

export interface NodeView extends Pick<NodePlan, "name" | "type" | "address" | "cpus" | "memoryBytes">, NodeStatus {
  /** Last end without a shutdown. Absent when there was none. */
  readonly lastDeath?: Death;
  /** It runs, but has no configuration it can use. Absent when nobody asked it. */
  readonly maintenance?: boolean;
}

/** A cluster as it is now; plain data, fit for JSON and YAML. */
export interface ClusterView {
  readonly provisioner: string;
  readonly name: string;
  readonly phase: ClusterPhase;
  readonly directory: string;
  readonly network: {
    readonly name: string;
    readonly cidr: string;
    readonly gateway: string;
    readonly mtu: number;
  };
  readonly kubernetesEndpoint: string;
  readonly image: string;
  readonly nodes: readonly NodeView[];
}

/** @throws OsError `provision/no-cluster` when there is none of that name. */
export async function showCluster(name: string, root: string = clustersDirectory()): Promise<ClusterView> {
  const { plan, phase, image } = await requireState(root, name);
  const provisioner = provisionerOf(plan);
  const nodes = await Promise.all(
    plan.nodes.map(async (node) => {
      const { name, type, address, cpus, memoryBytes } = node;
      const status = await provisioner.nodeStatus(plan, node);
      const lastDeath = await provisioner.lastDeath(plan, node);
      return { name, type, address, cpus, memoryBytes, ...status, ...(lastDeath !== undefined && { lastDeath }) };
    }),
  );
  return {
    provisioner: plan.provisioner,
    name: plan.name,
    phase,
    directory: plan.directory,
    network: {
      name: plan.bridge,
      cidr: plan.network.subnet,
      gateway: plan.network.gateway,
      mtu: plan.network.mtu,
    },
    kubernetesEndpoint: kubernetesEndpoint(plan),
    image,
    nodes,
  };
}

/** The view as a person reads it, in the layout upstream's command has, plus the state of the nodes. */
export function formatCluster(view: ClusterView): string {
  const facts = formatTable([
    ["PROVISIONER", view.provisioner],
    ["NAME", view.name],
    ["STATE", view.phase],
    ["NETWORK NAME", view.network.name],
    ["NETWORK CIDR", view.network.cidr],
    ["NETWORK GATEWAY", view.network.gateway],
    ["NETWORK MTU", String(view.network.mtu)],
    ["KUBERNETES ENDPOINT", view.kubernetesEndpoint],
  ]);
  const nodes = formatTable([
    ["NAME", "TYPE", "IP", "CPU", "RAM", "DISK", "STATE"],
    ...view.nodes.map((node) => [
      node.name,
      node.type,
      node.address,
      node.cpus.toFixed(2),
      `${(node.memoryBytes / 1e9).toFixed(1)} GB`,
      "-",
      stateOf(node),
    ]),
  ]);
  return `${facts}\nNODES:\n\n${nodes}${stoppedRemark(view)}${deathRemarks(view)}`;
}

function stateOf({ state, maintenance }: NodeView): string {
  if (state === "absent") return "stopped";
  return state === "running" && maintenance === true ? "maintenance" : state;
}

/** Tells of nodes that ended without a shutdown and were started again, one line for each. */
function deathRemarks({ nodes }: ClusterView): string {
  const lines = nodes.flatMap(({ name, state, lastDeath }) => {
    if (lastDeath === undefined) return [];
    const { count, time, reason, restartAt } = lastDeath;
    const times = count === 1 ? "once" : `${String(count)} times`;
    const next = state === "stopped" ? `; starts again at ${restartAt}` : "";
    return [`${name} ended without a shutdown ${times}, last at ${time}: ${reason}${next}\n`];
  });
  return lines.length === 0 ? "" : `\n${lines.join("")}`;
}

/** Advice about nodes that do not run; empty when all run, or when the cluster is not complete. */
function stoppedRemark({ name, phase, nodes }: ClusterView): string {
  const stopped = nodes.filter(({ state }) => state !== "running").length;
  if (stopped === 0 || phase !== "ready") return "";
  return `\n${stopped} of ${nodes.length} nodes not running; start with: talosctl cluster start --name ${name}\n`;
}
