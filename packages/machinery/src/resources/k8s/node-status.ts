import { bool, defineResource, field, list, map, text, type SpecOf } from "../dsl/index.ts";
import { ipPrefix } from "../values/index.ts";

/** State, labels and pod subnets of the own Kubernetes node. */
export const NodeStatus = defineResource({
  type: "NodeStatuses.kubernetes.talos.dev",
  namespace: "k8s",
  columns: [
    ["Ready", "{.nodeReady}"],
    ["Unschedulable", "{.unschedulable}"],
  ],
  spec: {
    nodename: field(1, text),
    nodeReady: field(2, bool),
    unschedulable: field(3, bool),
    labels: field(4, map(text)),
    annotations: field(5, map(text)),
    podCIDRs: field(6, list(ipPrefix)),
  },
});

export type NodeStatusSpec = SpecOf<typeof NodeStatus>;
