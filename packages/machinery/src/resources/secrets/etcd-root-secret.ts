import { defineResource, field, optional, type SpecOf } from "../dsl/index.ts";
import { certificateAndKey } from "../values/index.ts";

/** Certificate authority of etcd. */
export const EtcdRootSecret = defineResource({
  type: "EtcdRootSecrets.secrets.talos.dev",
  namespace: "secrets",
  sensitivity: "sensitive",
  id: "etcd",
  spec: {
    etcdCA: field(1, optional(certificateAndKey)),
  },
});

export type EtcdRootSecretSpec = SpecOf<typeof EtcdRootSecret>;
