import { bool, defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Name of the Kubernetes node, and the version of the hostname it was made from. */
export const Nodename = defineResource({
  type: "Nodenames.kubernetes.talos.dev",
  namespace: "k8s",
  columns: [["Nodename", "{.nodename}"]],
  id: "nodename",
  spec: {
    nodename: field(1, text),
    hostnameVersion: field(2, text),
    skipNodeRegistration: field(3, bool),
  },
});

export type NodenameSpec = SpecOf<typeof Nodename>;
