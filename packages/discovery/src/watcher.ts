import type { StoredAffiliate } from "./affiliate-record.ts";

export interface Changes {
  readonly updated: readonly StoredAffiliate[];
  readonly deleted: readonly string[];
}

/**
 * Remembers which affiliates changed, not how: whoever reads slowly gets the latest state of each and misses nothing, and
 * what is remembered never outgrows the cluster.
 */
export interface Watcher extends Disposable {
  /** Resolves when there is something to take, or after `wake()`. */
  readonly changed: Promise<void>;
  /** Changes since the last message. */
  take(): Changes;
  note(affiliateId: string): void;
  /** Lets the reader look around. */
  wake(): void;
}

export function createWatcher(read: (id: string) => StoredAffiliate | undefined, onDispose: () => void): Watcher {
  const pending = new Set<string>();
  let change = Promise.withResolvers<void>();
  return {
    get changed() {
      return change.promise;
    },
    take() {
      const ids = [...pending];
      pending.clear();
      change = Promise.withResolvers();
      const updated: StoredAffiliate[] = [];
      const deleted: string[] = [];
      for (const id of ids) {
        const affiliate = read(id);
        if (affiliate === undefined) deleted.push(id);
        else updated.push(affiliate);
      }
      return { updated, deleted };
    },
    note(id) {
      pending.add(id);
      change.resolve();
    },
    wake: () => change.resolve(),
    [Symbol.dispose]: onDispose,
  };
}
