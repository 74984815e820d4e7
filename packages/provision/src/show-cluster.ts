import { join } from "node:path";
import { formatTable, OsError } from "@talos-ts/base";
import { clustersDirectory, readState, type ClusterPhase } from "./cluster-state.ts";
import type { NodePlan } from "./cluster-plan.ts";
import { createRunc, type ContainerStatus } from "./runc.ts";

export interface NodeView extends Pick<NodePlan, "name" | "type" | "address" | "cpus" | "memoryBytes"> {
  readonly state: ContainerStatus["status"];
  /** Process on the host, 0 when it does not run. */
  readonly pid: number;
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
  const state = await readState(join(root, name));
  if (state === undefined) {
    throw new OsError({
      kind: "not-found",
      code: "provision/no-cluster",
      message: `Looked for cluster "${name}" in "${root}", there is none`,
      next: `talosctl cluster create --name ${name}`,
    });
  }
  const { plan, phase, image } = state;
  const runc = createRunc(plan.runtimeDirectory);
  const nodes = await Promise.all(
    plan.nodes.map(async ({ name, type, address, cpus, memoryBytes }) => {
      const { status, pid } = await runc.status(name);
      return { name, type, address, cpus, memoryBytes, state: status, pid };
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
    kubernetesEndpoint: `https://${plan.nodes[0]?.address ?? ""}:6443`,
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
      node.state,
    ]),
  ]);
  return `${facts}\nNODES:\n\n${nodes}`;
}
