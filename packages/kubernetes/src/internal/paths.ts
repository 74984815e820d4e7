import { OsError } from "@talos-ts/base";

/** Describes where the objects of a kind are. */
export interface ResourcePath {
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** `/api/v1` for the core group, `/apis/<group>/<version>` for the others. */
export function groupPath(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** Path of the collection; without a namespace that of all namespaces. */
export function collectionPath(resource: ResourcePath, namespace: string | undefined): string {
  const scope = resource.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${groupPath(resource.apiVersion)}${scope}/${resource.plural}`;
}

export function objectPath(resource: ResourcePath, namespace: string | undefined, name: string): string {
  if (name === "") {
    throw new OsError({
      kind: "invalid-argument",
      code: "kubernetes/no-name",
      message: `Cannot address an object of ${resource.apiVersion} ${resource.plural} without a name`,
    });
  }
  return `${collectionPath(resource, namespace ?? "default")}/${encodeURIComponent(name)}`;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** `?a=1&b=2`, without the parameters that are `undefined`; empty without any. */
export function queryString(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
