import { join } from "node:path";
import type { ClusterIdentity } from "../cluster-identity.ts";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";

/** Folders of the node that outlive it, as upstream's containers have them: path in the node → folder name. */
export const volumes: Readonly<Record<string, string>> = {
  "/etc/cni": "etc-cni",
  "/etc/kubernetes": "etc-kubernetes",
  "/opt": "opt",
  "/system/state": "state",
  "/usr/libexec/kubernetes": "libexec-kubernetes",
  "/var": "var",
};

/** Files of the node that are written before it starts and that it may change. */
export const nodeFiles = ["hostname", "hosts", "resolv.conf"] as const;

/** Paths of a cluster on the host. */
export const layout = {
  /** Mount point of the image. */
  rootfs: (cluster: ClusterIdentity): string => join(cluster.directory, "rootfs"),
  /** Shown at `/usr/etc`; the marker in it tells the system that it runs in a container. */
  marker: (plan: ClusterPlan): string => join(plan.directory, "usr-etc"),
  node: (plan: ClusterPlan, node: NodePlan): string => join(plan.directory, "nodes", node.name),
  /** Describes the container of a node to the runtime, and carries its configuration. */
  container: (plan: ClusterPlan, node: NodePlan): string => join(layout.node(plan, node), "config.json"),
  volume: (plan: ClusterPlan, node: NodePlan, name: string): string => join(layout.node(plan, node), "volumes", name),
  file: (plan: ClusterPlan, node: NodePlan, name: string): string => join(layout.node(plan, node), "etc", name),
  /** Shown at `/system/power`: how runs of the node ended. */
  power: (plan: ClusterPlan, node: NodePlan): string => join(layout.node(plan, node), "power"),
  /** Console output of the node. */
  log: (plan: ClusterPlan, node: NodePlan): string => join(layout.node(plan, node), "console.log"),
};
