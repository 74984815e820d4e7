export { EtcdConfig, type EtcdConfigSpec } from "./etcd-config.ts";
export { EtcdLearner, type EtcdLearnerSpec } from "./etcd-learner.ts";
export { EtcdMember, type EtcdMemberSpec } from "./etcd-member.ts";
export { EtcdSpec, type EtcdSpecSpec } from "./etcd-spec.ts";
export { PKIStatus, type PKIStatusSpec } from "./pki-status.ts";
