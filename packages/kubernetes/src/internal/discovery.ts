import { isRecord, OsError } from "@talos-ts/base";
import type { KindRef } from "../object.ts";
import { groupPath, type ResourcePath } from "./paths.ts";

/** Finds the path of a kind, asking the server once per group version. */
export interface Discovery {
  resourceOf(kind: KindRef, signal?: AbortSignal): Promise<ResourcePath>;
}

/** @param load Gets a JSON document of the server. */
export function createDiscovery(load: (path: string, signal?: AbortSignal) => Promise<unknown>): Discovery {
  const groups = new Map<string, ReadonlyMap<string, ResourcePath>>();

  async function discover(apiVersion: string, signal?: AbortSignal): Promise<ReadonlyMap<string, ResourcePath>> {
    const group = resourcesOf(apiVersion, await load(groupPath(apiVersion), signal));
    groups.set(apiVersion, group);
    return group;
  }

  return {
    async resourceOf({ apiVersion, kind, plural, namespaced }, signal) {
      if (plural !== undefined && namespaced !== undefined) return { apiVersion, plural, namespaced };
      const known = groups.get(apiVersion)?.get(kind);
      if (known !== undefined) return known;
      // A kind may have appeared with a custom resource definition after the group was last asked for.
      const found = (await discover(apiVersion, signal)).get(kind);
      if (found !== undefined) return found;
      throw new OsError({
        kind: "not-found",
        code: "kubernetes/unknown-kind",
        message: `no matches for kind "${kind}" in version "${apiVersion}"`,
        next: "kubectl api-resources",
      });
    },
  };
}

function resourcesOf(apiVersion: string, document: unknown): ReadonlyMap<string, ResourcePath> {
  const resources: unknown = isRecord(document) ? document["resources"] : undefined;
  const found = new Map<string, ResourcePath>();
  for (const item of Array.isArray(resources) ? (resources as readonly unknown[]) : []) {
    if (!isRecord(item)) continue;
    const { kind, name, namespaced } = item;
    // Subresources (`pods/log`) are listed with the kind they answer.
    if (typeof kind !== "string" || typeof name !== "string" || name.includes("/")) continue;
    found.set(kind, { apiVersion, plural: name, namespaced: namespaced === true });
  }
  return found;
}
