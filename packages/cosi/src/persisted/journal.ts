import { OsError } from "@talos-ts/base";
import type { LogFile } from "./log-file.ts";

/** A change that waits to be written. */
interface Entry<T> {
  readonly change: T;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Writes changes in order, as many as have come together in one write, and applies each only when it is on disk. A write
 * that fails takes back all that waited, because later changes may rest on earlier ones.
 */
export interface Journal<T> extends AsyncDisposable {
  /** Resolves when the change is on disk and applied. */
  write(change: T): Promise<void>;
}

export interface JournalOptions<T> {
  readonly file: LogFile;
  readonly encode: (changes: readonly T[]) => Uint8Array;
  readonly apply: (change: T) => void;
  /** Called when a change was taken back. */
  readonly discard: (change: T) => void;
  /** The present contents, when the file is worth rewriting; `undefined` otherwise. */
  readonly compact: () => Uint8Array | undefined;
}

export function createJournal<T>({ file, encode, apply, discard, compact }: JournalOptions<T>): Journal<T> {
  let waiting: Entry<T>[] = [];
  let running: Promise<void> | undefined;
  let closed = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await file.append(encode(batch.map(({ change }) => change)));
      } catch (err) {
        const lost = [...batch, ...waiting];
        waiting = [];
        for (const { change } of lost) discard(change);
        for (const { done } of lost) done.reject(err);
        continue;
      }
      for (const { change, done } of batch) {
        apply(change);
        done.resolve();
      }
      const contents = compact();
      // What was written is safe in the old file; rewriting it smaller may wait for better times.
      if (contents !== undefined) await file.replace(contents).catch(() => undefined);
    }
    running = undefined;
  }

  return {
    write(change) {
      if (closed) {
        return Promise.reject(
          new OsError({ kind: "unavailable", code: "cosi/state-closed", message: "Cannot write to a closed state" }),
        );
      }
      const done = Promise.withResolvers<void>();
      waiting.push({ change, done });
      // Starting a turn later lets changes that come together go together.
      running ??= Promise.resolve().then(run);
      return done.promise;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await running;
    },
  };
}
