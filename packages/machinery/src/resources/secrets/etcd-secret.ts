import { defineResource, field, optional, type SpecOf } from "../dsl/index.ts";
import { certificateAndKey } from "../values/index.ts";

/** Certificates of etcd and of its clients. */
export const EtcdSecret = defineResource({
  type: "EtcdSecrets.secrets.talos.dev",
  namespace: "secrets",
  sensitivity: "sensitive",
  id: "etcd",
  spec: {
    etcd: field(1, optional(certificateAndKey)),
    etcdPeer: field(2, optional(certificateAndKey)),
    etcdAdmin: field(3, optional(certificateAndKey)),
    etcdAPIServer: field(4, optional(certificateAndKey)),
  },
});

export type EtcdSecretSpec = SpecOf<typeof EtcdSecret>;
