import { OsError } from "@talos-ts/base";
import { watchOverrun } from "../errors.ts";
import type { Kind } from "../resource.ts";
import type { Event, Watch } from "../state.ts";
import type { Cursor, EventLog } from "./event-log.ts";

export interface LogWatchInit {
  readonly kind: Kind;
  readonly log: EventLog;
  /** Position to start reading at. */
  readonly position: number;
  /** Events to send before those of the log. */
  readonly initial: readonly Event[];
  /** Picks and rewrites events; must not change the given array. */
  readonly select: (events: readonly Event[]) => readonly Event[];
  readonly capacity: number;
  readonly signal: AbortSignal | undefined;
}

type Batch = IteratorResult<readonly Event[], undefined>;

const finished: Batch = { done: true, value: undefined };

/** A watch that reads a log from a position on. It is attached when this returns, so nothing that follows is missed. */
export function createLogWatch({ kind, log, position, initial, select, capacity, signal }: LogWatchInit): Watch {
  let pending: readonly Event[] = initial;
  let reader: PromiseWithResolvers<Batch> | undefined;
  let state: "open" | "closed" = "open";

  const cursor: Cursor = { position, capacity, wake: deliver };

  function close(): void {
    if (state === "closed") return;
    state = "closed";
    pending = [];
    log.detach(cursor);
    signal?.removeEventListener("abort", close);
    reader?.resolve(finished);
    reader = undefined;
  }

  /** Takes the events that can be read now; `undefined` when there are none yet. */
  function take(): readonly Event[] | undefined {
    if (pending.length > 0) {
      const batch = pending;
      pending = [];
      return batch;
    }
    const { end } = log;
    if (end - cursor.position > capacity) {
      throw watchOverrun(kind, { end, position: cursor.position, capacity });
    }
    if (end === cursor.position) return undefined;
    const batch = select(log.since(cursor.position));
    cursor.position = end;
    return batch.length > 0 ? batch : undefined;
  }

  function deliver(): void {
    if (reader === undefined) return;
    const { resolve, reject } = reader;
    try {
      const value = take();
      if (value === undefined) return log.whenReadable(cursor);
      reader = undefined;
      resolve({ done: false, value });
    } catch (err) {
      reader = undefined;
      close();
      reject(err);
    }
  }

  const iterator: AsyncIterator<readonly Event[], undefined> = {
    next() {
      if (reader !== undefined) {
        return Promise.reject(
          new OsError({ kind: "internal", message: "Cannot read a watch from two places at once" }),
        );
      }
      if (state === "closed") return Promise.resolve(finished);
      reader = Promise.withResolvers<Batch>();
      const { promise } = reader;
      if (pending.length > 0 || log.mayRead(cursor)) deliver();
      else log.whenReadable(cursor);
      return promise;
    },
    return() {
      close();
      return Promise.resolve(finished);
    },
  };

  log.attach(cursor);
  signal?.addEventListener("abort", close, { once: true });

  return {
    [Symbol.asyncIterator]: () => iterator,
    [Symbol.asyncDispose]() {
      close();
      return Promise.resolve();
    },
  };
}
