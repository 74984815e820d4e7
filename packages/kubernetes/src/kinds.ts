import type { KindRef } from "./object.ts";

/** Kinds that the node works with: their paths are part of the stable API, so no discovery request is needed. */
export const kinds = {
  configMap: { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true },
  csr: {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    plural: "certificatesigningrequests",
    namespaced: false,
  },
  daemonSet: { apiVersion: "apps/v1", kind: "DaemonSet", plural: "daemonsets", namespaced: true },
  deployment: { apiVersion: "apps/v1", kind: "Deployment", plural: "deployments", namespaced: true },
  endpoints: { apiVersion: "v1", kind: "Endpoints", plural: "endpoints", namespaced: true },
  endpointSlice: {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    plural: "endpointslices",
    namespaced: true,
  },
  event: { apiVersion: "v1", kind: "Event", plural: "events", namespaced: true },
  lease: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", plural: "leases", namespaced: true },
  namespace: { apiVersion: "v1", kind: "Namespace", plural: "namespaces", namespaced: false },
  node: { apiVersion: "v1", kind: "Node", plural: "nodes", namespaced: false },
  pod: { apiVersion: "v1", kind: "Pod", plural: "pods", namespaced: true },
  replicaSet: { apiVersion: "apps/v1", kind: "ReplicaSet", plural: "replicasets", namespaced: true },
  secret: { apiVersion: "v1", kind: "Secret", plural: "secrets", namespaced: true },
  service: { apiVersion: "v1", kind: "Service", plural: "services", namespaced: true },
  talosServiceAccount: {
    apiVersion: "talos.dev/v1alpha1",
    kind: "ServiceAccount",
    plural: "serviceaccounts",
    namespaced: true,
  },
} as const satisfies Record<string, KindRef>;
