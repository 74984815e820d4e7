import { matchesQuery } from "../query-match.ts";
import type { Kind, Resource } from "../resource.ts";
import type { Query } from "../query.ts";
import type { Event } from "../state.ts";

/**
 * The resources of one kind as its watch shows them, plus the results of writes whose events are still on their way, so
 * that whoever wrote something reads it back at once.
 *
 * Writes and the watch race: the event may come before or after the write resolves. Each entry therefore keeps what the
 * watch showed (`seen`) apart from what a write returned (`ahead`), and drops the latter when the watch has caught up.
 */
export interface KindCache {
  readonly kind: Kind;
  /** Pending until the present contents were read; `undefined` afterwards, so that reads need not wait. */
  readonly filling: Promise<void> | undefined;
  get(id: string): Resource | undefined;
  /** In order of id. */
  list(query?: Query): readonly Resource[];
  /** A watch (re)starts: contents follow, then `bootstrapped`. */
  restart(): void;
  /** Takes what the watch shows; resolves to the changes that controllers must hear of. */
  apply(events: readonly Event[]): readonly Change[];
  /** Ends the wait of everyone who reads before the contents are there. */
  close(reason: unknown): void;
  /** Announces a write to a resource; the returned function takes its outcome. */
  beginWrite(id: string): (outcome: WriteOutcome) => void;
}

/** The resource as stored, `destroyed`, or `unchanged` for a failed write and for one that sends no event. */
export type WriteOutcome = Resource | "destroyed" | "unchanged";

export interface Change {
  readonly resource: Resource;
  readonly destroyed: boolean;
}

interface Entry {
  seen: Resource | undefined;
  ahead: Resource | "destroyed" | undefined;
  /** Destroy events that must still come before events can concern `ahead`. */
  destroysAhead: number;
  destroysSeen: number;
  writing: number;
}

export function createKindCache(kind: Kind): KindCache {
  const entries = new Map<string, Entry>();
  let filling: PromiseWithResolvers<void> | undefined = Promise.withResolvers<void>();
  // Nobody may be waiting when the runtime stops before the contents were read.
  filling.promise.catch(() => undefined);
  /** Ids shown since the watch restarted; `undefined` once its contents are complete. */
  let shown: Set<string> | undefined = new Set();
  let order: readonly string[] | undefined;
  let snapshot: readonly Resource[] | undefined;

  function visible(entry: Entry | undefined): Resource | undefined {
    if (entry === undefined) return undefined;
    if (entry.ahead === undefined) return entry.seen;
    return entry.ahead === "destroyed" ? undefined : entry.ahead;
  }

  function ensure(id: string): Entry {
    const known = entries.get(id);
    if (known !== undefined) return known;
    const entry: Entry = { seen: undefined, ahead: undefined, destroysAhead: 0, destroysSeen: 0, writing: 0 };
    entries.set(id, entry);
    return entry;
  }

  function change(id: string, entry: Entry, mutate: () => void): void {
    const before = visible(entry);
    mutate();
    const after = visible(entry);
    if (before !== after) snapshot = undefined;
    if ((before === undefined) !== (after === undefined)) order = undefined;
    if (entry.seen === undefined && entry.ahead === undefined && entry.writing === 0) entries.delete(id);
  }

  function show(resource: Resource): void {
    const { id, version } = resource.metadata;
    const entry = ensure(id);
    change(id, entry, () => {
      entry.seen = resource;
      const { ahead } = entry;
      if (typeof ahead === "object" && entry.destroysAhead === 0 && version >= ahead.metadata.version) {
        entry.ahead = undefined;
      }
    });
  }

  function hide(id: string): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    change(id, entry, () => {
      entry.seen = undefined;
      entry.destroysSeen += 1;
      if (entry.destroysAhead > 0) entry.destroysAhead -= 1;
      else entry.ahead = undefined;
      if (entry.destroysAhead === 0 && entry.ahead === "destroyed") entry.ahead = undefined;
    });
  }

  /** Removes what vanished while nobody watched, which is only known once the contents are complete. */
  function complete(changes: Change[]): void {
    const present = shown;
    shown = undefined;
    for (const [id, entry] of entries) {
      if (entry.seen === undefined || present?.has(id) === true) continue;
      changes.push({ resource: entry.seen, destroyed: true });
      entry.destroysAhead = 0;
      hide(id);
    }
    filling?.resolve();
    filling = undefined;
  }

  function take(entry: Entry, outcome: Resource | "destroyed", stale: boolean): void {
    if (outcome === "destroyed") {
      entry.ahead = outcome;
      entry.destroysAhead += 1;
      return;
    }
    const { version } = outcome.metadata;
    if (entry.destroysAhead === 0 && entry.seen !== undefined) {
      if (version === 1 && stale) entry.destroysAhead = 1;
      else if (entry.seen.metadata.version >= version) return;
    }
    const newer = typeof entry.ahead !== "object" || entry.ahead.metadata.version < version || version === 1;
    if (newer) entry.ahead = outcome;
  }

  return {
    kind,
    get filling() {
      return filling?.promise;
    },
    get: (id) => visible(entries.get(id)),
    list(query) {
      order ??= [...entries.keys()].filter((id) => visible(entries.get(id)) !== undefined).sort();
      snapshot ??= order.map((id) => visible(entries.get(id)) as Resource);
      return query === undefined ? snapshot : snapshot.filter((resource) => matchesQuery(query, resource));
    },
    restart() {
      shown = new Set();
    },
    apply(events) {
      const changes: Change[] = [];
      for (const event of events) {
        if (event.type === "noop") continue;
        if (event.type === "bootstrapped") {
          complete(changes);
          continue;
        }
        const { id, version } = event.resource.metadata;
        if (event.type === "destroyed") {
          hide(id);
          changes.push({ resource: event.resource, destroyed: true });
          continue;
        }
        shown?.add(id);
        const known = entries.get(id)?.seen;
        show(event.resource);
        // The first filling is no news: whoever starts reads everything. A later one is, where it differs.
        if (filling !== undefined) continue;
        if (shown !== undefined && known?.metadata.version === version) continue;
        changes.push({ resource: event.resource, destroyed: false });
      }
      return changes;
    },
    close(reason) {
      filling?.reject(reason);
    },
    beginWrite(id) {
      const entry = ensure(id);
      const { destroysSeen, destroysAhead, seen } = entry;
      entry.writing += 1;
      return (outcome) => {
        change(id, entry, () => {
          entry.writing -= 1;
          // A destroy that nobody here expected came in between: it ended what was written, and no event will follow.
          const overtaken = entry.destroysSeen - destroysSeen > destroysAhead;
          // What was there all the time cannot be what a create made: the watch still shows the one before it.
          const stale = seen !== undefined && entry.destroysSeen === destroysSeen;
          if (outcome !== "unchanged" && !overtaken) take(entry, outcome, stale);
        });
      };
    },
  };
}
