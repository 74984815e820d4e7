import type { CoreState } from "./state.ts";

/**
 * One state made of a state per namespace, each built at the first touch of its namespace. A factory that answers with
 * the same state twice makes two namespaces share it; one that throws refuses the namespace.
 */
export function createNamespacedState(factory: (namespace: string) => CoreState): CoreState {
  const states = new Map<string, CoreState>();

  function of({ namespace }: { readonly namespace: string }): CoreState {
    let state = states.get(namespace);
    if (state === undefined) states.set(namespace, (state = factory(namespace)));
    return state;
  }

  return {
    get: async (pointer) => of(pointer).get(pointer),
    list: async (kind, query) => of(kind).list(kind, query),
    create: async (resource, options) => of(resource.metadata).create(resource, options),
    update: async (resource, options) => of(resource.metadata).update(resource, options),
    destroy: async (pointer, options) => of(pointer).destroy(pointer, options),
    watch: async (pointer, options) => of(pointer).watch(pointer, options),
    watchKind: async (kind, options) => of(kind).watchKind(kind, options),
  };
}
