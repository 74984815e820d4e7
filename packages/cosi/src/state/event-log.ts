import type { Resource } from "../resource.ts";
import type { Event } from "../state.ts";
import { createBookmarkCodec, type BookmarkCodec } from "./bookmark.ts";

/** A reader's place in a log. The log keeps what its cursors still need, up to `capacity` events each. */
export interface Cursor {
  /** The next event to read. */
  position: number;
  readonly capacity: number;
  /** Called once for each `whenReadable`. */
  wake(): void;
}

export interface EventLogOptions {
  /** Number of past events that can be replayed or resumed from. */
  readonly historyCapacity: number;
  /** Number of the oldest of them that are not promised, so that a reader that starts there is not overrun at once. */
  readonly historyGap: number;
}

/**
 * The events of one kind of resource, once, for any number of readers: fan-out wakes cursors and copies nothing. Events
 * leave the log when they are out of history and no cursor may still ask for them, so memory is bounded by the largest
 * capacity however slow a reader is.
 */
export interface EventLog {
  readonly bookmarks: BookmarkCodec;
  /** The position the next event will have. */
  readonly end: number;
  /** The oldest position that may be replayed. */
  readonly oldest: number;
  /** Takes the event over; it gets its bookmark when somebody reads it. */
  append(event: Unmarked): void;
  /** Every event from `position` on; the same array for readers at the same place. */
  since(position: number): readonly Event[];
  attach(cursor: Cursor): void;
  detach(cursor: Cursor): void;
  /**
   * Reports whether a reader should take what there is. The first append after a quiet time is handed out at once; what follows
   * in the same turn of the event loop is left to pile up until the turn ends, or until it is much.
   */
  mayRead(cursor: Cursor): boolean;
  /** Wakes the cursor when there is something it should take, together with all that wait. */
  whenReadable(cursor: Cursor): void;
}

/** An event without a bookmark yet. Most are never read by anybody who would need one. */
export type Unmarked =
  | { readonly type: "created" | "destroyed"; readonly resource: Resource; bookmark: Uint8Array | undefined }
  | {
      readonly type: "updated";
      readonly resource: Resource;
      readonly old: Resource;
      bookmark: Uint8Array | undefined;
    };

/** Largest number of events that may pile up within one turn. Far below what a reader may fall behind by. */
const burst = 256;

export function createEventLog({ historyCapacity, historyGap }: EventLogOptions): EventLog {
  const bookmarks = createBookmarkCodec();
  const cursors = new Set<Cursor>();
  const slack = Math.max(16, historyCapacity >> 2);
  let events: Unmarked[] = [];
  let base = 0;
  let trimAt = historyCapacity + slack;
  let waiting: Cursor[] = [];
  /** Position at which the last wake of this turn left off; `undefined` when there was none. */
  let wokenAt: number | undefined;
  let wakeQueued = false;
  /** True when a reader was sent to wait although there was something for it. */
  let deferred = false;
  let shared: { readonly from: number; readonly to: number; readonly batch: readonly Event[] } | undefined;

  const end = (): number => base + events.length;

  function trim(): void {
    let keep = end() - historyCapacity;
    for (const { position, capacity } of cursors) keep = Math.min(keep, Math.max(position, end() - capacity));
    if (keep > base) {
      events = events.slice(keep - base);
      base = keep;
    }
    trimAt = events.length + slack;
  }

  function wakeAll(): void {
    wakeQueued = false;
    wokenAt = end();
    const awake = waiting;
    waiting = [];
    for (const cursor of awake) cursor.wake();
  }

  function endTurn(): void {
    if (wokenAt === end() && !deferred) {
      wokenAt = undefined;
      return;
    }
    deferred = false;
    wakeAll();
    setImmediate(endTurn);
  }

  /** A wake per event would make fan-out cost as much as copying; a turn that ends soon makes it one per burst. */
  function queueWake(): void {
    if (wokenAt === undefined) {
      wokenAt = end();
      setImmediate(endTurn);
    } else if (end() - wokenAt < burst) return;
    wakeQueued = true;
    queueMicrotask(wakeAll);
  }

  return {
    bookmarks,
    get end() {
      return end();
    },
    get oldest() {
      return Math.max(0, end() - historyCapacity + historyGap);
    },
    append(event) {
      events.push(event);
      if (events.length >= trimAt) trim();
      if (!wakeQueued && waiting.length > 0) queueWake();
    },
    since(position) {
      const to = end();
      if (shared?.from !== position || shared.to !== to) {
        const batch = events.slice(position - base);
        for (const [index, event] of batch.entries()) event.bookmark ??= bookmarks.encode(position + index);
        shared = { from: position, to, batch };
      }
      return shared.batch;
    },
    attach: (cursor) => void cursors.add(cursor),
    detach: (cursor) => void cursors.delete(cursor),
    mayRead: ({ position }) => wokenAt === undefined || end() - position >= burst,
    whenReadable(cursor) {
      waiting.push(cursor);
      if (cursor.position < end()) deferred = true;
    },
  };
}
