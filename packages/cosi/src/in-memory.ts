import { systemClock, type Clock } from "@talos-ts/base";
import type { CoreState } from "./state.ts";
import { createCollections, type HistoryOptions } from "./state/collections.ts";
import { created, destroyable, updated } from "./state/transition.ts";

/** Settings of an in-memory state. */
export interface InMemoryStateOptions extends HistoryOptions {
  /** Clock of `created` and `updated`. @default {systemClock} */
  readonly clock?: Clock;
}

/** A state that lives as long as the process, for every namespace. */
export function createInMemoryState({ clock = systemClock, ...history }: InMemoryStateOptions = {}): CoreState {
  const collections = createCollections(history);

  return {
    ...collections.reads,
    async create(resource, options) {
      const { metadata } = resource;
      const collection = collections.of(metadata);
      const next = created(collection.find(metadata.id), resource, options, clock.now());
      collection.put(next);
      return next;
    },
    async update(resource, options) {
      const { metadata } = resource;
      const collection = collections.of(metadata);
      const next = updated(collection.find(metadata.id), resource, options, clock.now());
      collection.put(next);
      return next;
    },
    async destroy(pointer, options) {
      const collection = collections.of(pointer);
      collection.delete(destroyable(collection.find(pointer.id), pointer, options));
    },
  };
}
