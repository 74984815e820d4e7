import { invalidBookmark, notFound, unsupported } from "../errors.ts";
import { matchesAll, matchesQuery } from "../query-match.ts";
import type { Query } from "../query.ts";
import type { Kind, Resource } from "../resource.ts";
import type { Event, Watch, WatchKindOptions, WatchOptions } from "../state.ts";
import { createEventLog, type EventLogOptions } from "./event-log.ts";
import { createLogWatch } from "./log-watch.ts";
import { selectId, selectQuery } from "./select-events.ts";
import { createSortedIds } from "./sorted-ids.ts";
import { tombstone } from "./tombstone.ts";

/** The resources of one kind and their history. Writes are unconditional: the rules are in `transition.ts`. */
export interface Collection {
  find(id: string): Resource | undefined;
  /** @throws not found */
  get(id: string): Resource;
  list(query?: Query): readonly Resource[];
  put(resource: Resource): void;
  delete(resource: Resource): void;
  watch(id: string, options: WatchOptions): Watch;
  watchKind(options: WatchKindOptions): Watch;
}

const defaultCapacity = 8192;

export function createCollection(kind: Kind, history: EventLogOptions): Collection {
  const items = new Map<string, Resource>();
  const ids = createSortedIds();
  const log = createEventLog(history);
  let listing: readonly Resource[] | undefined;

  function all(): readonly Resource[] {
    listing ??= ids.values((id) => items.has(id)).map((id) => items.get(id) as Resource);
    return listing;
  }

  function list(query: Query | undefined): readonly Resource[] {
    if (query === undefined || matchesAll(query)) return all();
    return all().filter((resource) => matchesQuery(query, resource));
  }

  function resume(bookmark: Uint8Array): number {
    const position = log.bookmarks.decode(bookmark);
    // -1 stands before the first event, and `oldest` is the first that may still be read.
    if (position === undefined || position + 1 < log.oldest || position < -1 || position >= log.end) {
      throw invalidBookmark(kind);
    }
    return position + 1;
  }

  /** Finds the position at which the last `count` events that `counts` accepts begin, as far as history reaches. */
  function rewind(count: number, counts: (event: Event) => boolean): number {
    const { oldest, end } = log;
    const events = log.since(oldest);
    let found = 0;
    let position = end;
    while (position > oldest && found < count) {
      position -= 1;
      const event = events[position - oldest];
      if (event !== undefined && counts(event)) found += 1;
    }
    return position;
  }

  return {
    find: (id) => items.get(id),
    get(id) {
      const resource = items.get(id);
      if (resource === undefined) throw notFound({ ...kind, id });
      return resource;
    },
    list,
    put(resource) {
      const { id } = resource.metadata;
      const old = items.get(id);
      items.set(id, resource);
      listing = undefined;
      if (old === undefined) ids.add(id);
      log.append(
        old === undefined
          ? { type: "created", resource, bookmark: undefined }
          : { type: "updated", resource, old, bookmark: undefined },
      );
    },
    delete(resource) {
      items.delete(resource.metadata.id);
      ids.delete();
      listing = undefined;
      log.append({ type: "destroyed", resource, bookmark: undefined });
    },
    watch(id, { tailEvents = 0, startFromBookmark, capacity = defaultCapacity, signal }) {
      signal?.throwIfAborted();
      checkStart(kind, tailEvents, startFromBookmark);
      const select = selectId(id);
      const watch = (position: number, initial: readonly Event[]): Watch =>
        createLogWatch({ kind, log, position, initial, select, capacity, signal });
      if (startFromBookmark !== undefined) return watch(resume(startFromBookmark), []);
      if (tailEvents > 0)
        return watch(
          rewind(tailEvents, (event) => event.resource?.metadata.id === id),
          [],
        );
      const current = items.get(id);
      const resource = current ?? tombstone({ ...kind, id });
      return watch(log.end, [{ type: current === undefined ? "destroyed" : "created", resource }]);
    },
    watchKind(options) {
      const { tailEvents = 0, startFromBookmark, capacity = defaultCapacity, signal, query } = options;
      const { bootstrapContents = false, bootstrapBookmark = false } = options;
      signal?.throwIfAborted();
      checkStart(kind, tailEvents, startFromBookmark);
      if (bootstrapContents && (tailEvents > 0 || startFromBookmark !== undefined)) {
        throw unsupported("cannot use BootstrapContents with TailEvents and StartFromBookmark options", kind);
      }
      let position = log.end;
      if (startFromBookmark !== undefined) position = resume(startFromBookmark);
      else if (tailEvents > 0) position = Math.max(log.oldest, log.end - tailEvents);

      const initial: Event[] = [];
      const bookmark = log.bookmarks.encode(position - 1);
      if (bootstrapContents) {
        for (const resource of list(query)) initial.push({ type: "created", resource });
        initial.push({ type: "bootstrapped", bookmark });
      }
      if (bootstrapBookmark) initial.push({ type: "noop", bookmark });
      return createLogWatch({ kind, log, position, initial, select: selectQuery(query), capacity, signal });
    },
  };
}

function checkStart(kind: Kind, tailEvents: number, startFromBookmark: Uint8Array | undefined): void {
  if (tailEvents > 0 && startFromBookmark !== undefined) {
    throw unsupported("cannot use both TailEvents and StartFromBookmark options", kind);
  }
}
