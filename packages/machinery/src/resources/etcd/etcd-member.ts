import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** The member id of the local etcd, in hexadecimal. */
export const EtcdMember = defineResource({
  type: "EtcdMembers.etcd.talos.dev",
  namespace: "etcd",
  columns: [["Member ID", "{.memberID}"]],
  id: "local",
  spec: {
    memberID: field(1, text),
  },
});

export type EtcdMemberSpec = SpecOf<typeof EtcdMember>;
