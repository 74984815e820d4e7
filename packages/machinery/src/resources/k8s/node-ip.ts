import { defineResource, field, list, type SpecOf } from "../dsl/index.ts";
import { ip } from "../values/index.ts";

/** Addresses the kubelet registers with, at most one of each family. */
export const NodeIP = defineResource({
  type: "NodeIPs.kubernetes.talos.dev",
  namespace: "k8s",
  id: "kubelet",
  spec: {
    addresses: field(1, list(ip)),
  },
});

export type NodeIPSpec = SpecOf<typeof NodeIP>;
