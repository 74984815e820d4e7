import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** The id of this node, random and kept over reboots. */
export const Identity = defineResource({
  type: "Identities.cluster.talos.dev",
  namespace: "cluster",
  columns: [["ID", "{.nodeId}"]],
  id: "local",
  spec: {
    nodeId: field(1, text),
  },
});

export type IdentitySpec = SpecOf<typeof Identity>;
