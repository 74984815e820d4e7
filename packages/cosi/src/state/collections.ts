import type { Kind } from "../resource.ts";
import type { CoreState } from "../state.ts";
import { createCollection, type Collection } from "./collection.ts";
import type { EventLogOptions } from "./event-log.ts";

export interface HistoryOptions {
  /** Number of past events of each kind that can be replayed or resumed from. @default {1024} */
  readonly historyCapacity?: number;
  /** Number of the oldest of them that are not promised. @default {4} */
  readonly historyGap?: number;
}

/** Every collection by namespace and type, made at first touch, and the half of a state that only reads. */
export interface Collections {
  of(kind: Kind): Collection;
  readonly reads: Pick<CoreState, "get" | "list" | "watch" | "watchKind">;
  /** Stored resources, in no order. */
  all(): Iterable<Collection>;
}

export function createCollections({ historyCapacity = 1024, historyGap = 4 }: HistoryOptions): Collections {
  const options: EventLogOptions = { historyCapacity, historyGap };
  const namespaces = new Map<string, Map<string, Collection>>();

  function of(kind: Kind): Collection {
    let types = namespaces.get(kind.namespace);
    if (types === undefined) namespaces.set(kind.namespace, (types = new Map()));
    let collection = types.get(kind.type);
    if (collection === undefined) {
      collection = createCollection({ namespace: kind.namespace, type: kind.type }, options);
      types.set(kind.type, collection);
    }
    return collection;
  }

  return {
    of,
    *all() {
      for (const types of namespaces.values()) yield* types.values();
    },
    // Asynchronous only in form: each body runs to its end at once, which is what makes every operation atomic.
    reads: {
      get: async (pointer) => of(pointer).get(pointer.id),
      list: async (kind, query) => of(kind).list(query),
      watch: async (pointer, watchOptions = {}) => of(pointer).watch(pointer.id, watchOptions),
      watchKind: async (kind, watchOptions = {}) => of(kind).watchKind(watchOptions),
    },
  };
}
