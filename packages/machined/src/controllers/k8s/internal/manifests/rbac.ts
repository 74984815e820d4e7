/** Parts that manifests share. */

export const systemNamespace = "kube-system";

const rbacGroup = "rbac.authorization.k8s.io";
const rbacVersion = `${rbacGroup}/v1`;

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

type Metadata = Readonly<Record<string, unknown>>;

export function clusterRole(metadata: Metadata, rules: readonly Rule[]): object {
  return { apiVersion: rbacVersion, kind: "ClusterRole", metadata, rules };
}

export function clusterRoleBinding(metadata: Metadata, role: string, subjects: readonly object[]): object {
  const roleRef = { apiGroup: rbacGroup, kind: "ClusterRole", name: role };
  return { apiVersion: rbacVersion, kind: "ClusterRoleBinding", metadata, roleRef, subjects };
}

export function group(name: string): object {
  return { apiGroup: rbacGroup, kind: "Group", name };
}

export function serviceAccountSubject(name: string): object {
  return { kind: "ServiceAccount", name, namespace: systemNamespace };
}

export function serviceAccount(name: string, metadata: Metadata = {}): object {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { ...metadata, name, namespace: systemNamespace } };
}
