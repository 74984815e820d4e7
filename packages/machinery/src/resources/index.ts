export * from "./block/index.ts";
export * from "./cluster/index.ts";
export * from "./config/index.ts";
export * from "./cri/index.ts";
export * from "./etcd/index.ts";
export * from "./files/index.ts";
export * from "./hardware/index.ts";
export * from "./k8s/index.ts";
export * from "./kubeaccess/index.ts";
export * from "./kubespan/index.ts";
export * from "./network/index.ts";
export * from "./network-device/index.ts";
export * from "./perf/index.ts";
export * from "./runtime/index.ts";
export * from "./secrets/index.ts";
export * from "./security/index.ts";
export * from "./siderolink/index.ts";
export * from "./time/index.ts";
export * from "./v1alpha1/index.ts";

export { findDefinition, resourceDefinitions } from "./lookup.ts";
export { namespaces, type NamespaceDefinition } from "./namespaces.ts";
export { resourceTypes } from "./resource-types.ts";

export * from "./enums/index.ts";
export type { SpecOf, TypedResource } from "./dsl/index.ts";
export type {
  CelExpression,
  Certificate,
  CertificateAndKey,
  JsonObject,
  JsonValue,
  PrivateKey,
} from "./values/index.ts";
export type { SymlinkProvisioning } from "./block/symlink-provisioning.ts";
export type { VolumeEncryption } from "./block/volume-encryption.ts";
export type { VolumeLocator } from "./block/volume-locator.ts";
export type { VolumeMount } from "./block/volume-mount.ts";
export type { VolumeProvisioning } from "./block/volume-provisioning.ts";
export type { ControlPlane } from "./cluster/control-plane.ts";
export type { ArgValues } from "./k8s/arg-values.ts";
export type { ExtraVolume } from "./k8s/extra-volume.ts";
export type { KubeletMount } from "./k8s/kubelet-mount.ts";
export type { KubeprismAddress } from "./k8s/kubeprism-address.ts";
export type { PodResources } from "./k8s/pod-resources.ts";
export type { BondMaster } from "./network/bond-master.ts";
export type { BondSlave } from "./network/bond-slave.ts";
export type { BridgeMaster } from "./network/bridge-master.ts";
export type { EthernetRingsStatus } from "./network/ethernet-rings-status.ts";
export type { NftablesRule } from "./network/nftables-rule.ts";
export type { Vlan } from "./network/vlan.ts";
export type { VrfMaster } from "./network/vrf-master.ts";
export type { Wireguard } from "./network/wireguard.ts";

export { formatResult, parseJsonPath, type JsonPath, type JsonPathOptions } from "./jsonpath/index.ts";
