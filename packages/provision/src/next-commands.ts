import type { ClusterPlan, NodePlan, NodeType } from "./cluster-plan.ts";

export interface NextCommandOptions {
  /** Context of the client that leads to the cluster. @default the name of the cluster */
  readonly context?: string;
  /** File of the client configuration, where it is not the one that the client opens by itself. */
  readonly talosconfig?: string;
  /** Nodes that have no configuration yet. @default none */
  readonly unconfigured?: readonly NodePlan[];
  /** Files of the configurations. @default a word to replace */
  readonly files?: Readonly<Record<NodeType, string>>;
}

/** The commands a person runs after a cluster was started: who is there, what runs, and what is still missing. */
export function nextCommands(plan: ClusterPlan, options: NextCommandOptions = {}): string[] {
  const { context = plan.name, talosconfig, unconfigured = [], files } = options;
  const client = `talosctl${talosconfig === undefined ? "" : ` --talosconfig ${talosconfig}`} --context ${context}`;
  const first = plan.nodes.find((node) => node.type === "controlplane")?.address ?? "";
  const all = plan.nodes.map((node) => node.address).join(",");
  const apply = unconfigured.map(
    ({ address, type }) =>
      `talosctl apply-config --insecure --nodes ${address} --file ${files?.[type] ?? "<config.yaml>"}`,
  );
  const look = [
    `${client} --nodes ${all} version`,
    `${client} --nodes ${all} services`,
    `${client} --nodes ${first} get machinestatus -o yaml`,
  ];
  // A node answers nobody but strangers until it is configured.
  return apply.length === 0 ? look : [...apply, ...look.slice(0, 1)];
}
