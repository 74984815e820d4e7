/** Values a generated configuration starts from. */

import type { Unstructured } from "../schema/type.ts";

export const podNetworks = { ipv4: "10.244.0.0/16", ipv6: "fc00:db8:10::/56" } as const;
export const serviceNetworks = { ipv4: "10.96.0.0/12", ipv6: "fc00:db8:20::/112" } as const;

export const excludeFromLoadBalancersLabel = "node.kubernetes.io/exclude-from-external-load-balancers";

/** Baseline pods are enforced everywhere but in kube-system. */
export const podSecurityAdmission: { readonly name: string; readonly configuration: Unstructured } = {
  name: "PodSecurity",
  configuration: {
    apiVersion: "pod-security.admission.config.k8s.io/v1alpha1",
    kind: "PodSecurityConfiguration",
    defaults: {
      enforce: "baseline",
      "enforce-version": "latest",
      audit: "restricted",
      "audit-version": "latest",
      warn: "restricted",
      "warn-version": "latest",
    },
    exemptions: { usernames: [], runtimeClasses: [], namespaces: ["kube-system"] },
  },
};

/** Audit policy that records who did what, without the contents of requests. */
export const auditPolicy: Unstructured = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  rules: [{ level: "Metadata" }],
};
