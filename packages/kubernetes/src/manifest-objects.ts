import type { KubernetesObject } from "./object.ts";

/** Field manager of what is created from manifests. */
export const manifestFieldManager = "talos";

/** Sorts objects so that they can be created: namespaces, then definitions of kinds, then everything else. */
export function inCreationOrder(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ apiVersion = "", kind }: KubernetesObject): number {
  if (kind === "Namespace" && apiVersion === "v1") return 0;
  return kind === "CustomResourceDefinition" && apiVersion.startsWith("apiextensions.k8s.io/") ? 1 : 2;
}

/** The object in namespace `default` when its kind needs one, without a namespace when it has none. */
export function withScope(object: KubernetesObject, namespaced: boolean): KubernetesObject {
  const { namespace, ...metadata } = object.metadata;
  if (!namespaced) return { ...object, metadata };
  return {
    ...object,
    metadata: { ...metadata, namespace: namespace === undefined || namespace === "" ? "default" : namespace },
  };
}

/** Names an object in messages: `group/version/kind/name`; the core group is empty. */
export function objectTitle({ apiVersion = "", kind = "", metadata: { name = "" } }: KubernetesObject): string {
  const groupVersion = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  return `${groupVersion}/${kind}/${name}`;
}
