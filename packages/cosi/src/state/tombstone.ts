import type { Pointer, Resource } from "../resource.ts";

/** Stands for a resource that does not exist: metadata without a version, and no spec. */
export function tombstone({ namespace, type, id }: Pointer): Resource<undefined> {
  return {
    metadata: {
      namespace,
      type,
      id,
      version: 0,
      owner: "",
      phase: "running",
      created: 0,
      updated: 0,
      finalizers: [],
      labels: {},
      annotations: {},
    },
    spec: undefined,
  };
}

/** Reports whether a resource stands for one that does not exist, as in a `destroyed` event without contents. */
export function isTombstone(resource: Resource): boolean {
  return resource.metadata.version === 0 && resource.spec === undefined;
}
