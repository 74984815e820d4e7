import type { Kind } from "../resource.ts";

/** Values by kind, without building a key for every look-up. */
export interface KindMap<V> {
  get(namespace: string, type: string): V | undefined;
  set(kind: Kind, value: V): void;
  values(): IterableIterator<V>;
}

export function createKindMap<V>(): KindMap<V> {
  const namespaces = new Map<string, Map<string, V>>();
  return {
    get: (namespace, type) => namespaces.get(namespace)?.get(type),
    set(kind, value) {
      const types = namespaces.get(kind.namespace);
      if (types === undefined) namespaces.set(kind.namespace, new Map([[kind.type, value]]));
      else types.set(kind.type, value);
    },
    *values() {
      for (const types of namespaces.values()) yield* types.values();
    },
  };
}
