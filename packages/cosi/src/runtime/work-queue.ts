/**
 * A queue of keys to work on. A key is in it once; a key that is put while it is worked on comes again afterwards; a
 * key may wait for its time.
 */
export interface WorkQueue<V> {
  /** Ready now, also when it waited for a later time. The value replaces an older one. */
  put(key: string, value: V): void;
  /** The next key that is ready at `now`; it is worked on until `release`. */
  take(now: number): { readonly key: string; readonly value: V } | undefined;
  /** The work on the key is done; with `at`, it comes again then, or at once if it was put meanwhile. */
  release(key: string, value: V, at?: number): void;
  /** Time at which the first waiting key is due. */
  nextDue(): number | undefined;
  readonly ready: number;
  readonly running: number;
  readonly delayed: number;
}

interface Delayed<V> {
  readonly key: string;
  readonly value: V;
  readonly at: number;
}

export function createWorkQueue<V>(): WorkQueue<V> {
  // A Map keeps the order of insertion: the first key is the one that waited longest.
  const ready = new Map<string, V>();
  const running = new Set<string>();
  const again = new Map<string, V>();
  const delayed = new Map<string, Delayed<V>>();
  // May hold entries that were put or replaced since; `delayed` knows which are true.
  const heap: Delayed<V>[] = [];

  function dropStale(): void {
    while (heap[0] !== undefined && delayed.get(heap[0].key) !== heap[0]) popHeap(heap);
  }

  return {
    put(key, value) {
      if (running.has(key)) {
        again.set(key, value);
        return;
      }
      delayed.delete(key);
      ready.set(key, value);
    },
    take(now) {
      for (dropStale(); heap[0] !== undefined && heap[0].at <= now; dropStale()) {
        const { key, value } = heap[0];
        delayed.delete(key);
        ready.set(key, value);
      }
      for (const [key, value] of ready) {
        ready.delete(key);
        running.add(key);
        return { key, value };
      }
      return undefined;
    },
    release(key, value, at) {
      running.delete(key);
      const fresh = again.get(key);
      if (fresh !== undefined) {
        again.delete(key);
        ready.set(key, fresh);
      } else if (at !== undefined) {
        const entry = { key, value, at };
        delayed.set(key, entry);
        pushHeap(heap, entry);
      }
    },
    nextDue() {
      dropStale();
      return heap[0]?.at;
    },
    get ready() {
      return ready.size + again.size;
    },
    get running() {
      return running.size;
    },
    get delayed() {
      return delayed.size;
    },
  };
}

interface Timed {
  readonly at: number;
}

function pushHeap<T extends Timed>(heap: T[], entry: T): void {
  let index = heap.push(entry) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if ((heap[parent] as T).at <= entry.at) break;
    heap[index] = heap[parent] as T;
    index = parent;
  }
  heap[index] = entry;
}

function popHeap(heap: Timed[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const left = index * 2 + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const child = right < heap.length && (heap[right] as Timed).at < (heap[left] as Timed).at ? right : left;
    if ((heap[child] as Timed).at >= last.at) break;
    heap[index] = heap[child] as Timed;
    index = child;
  }
  heap[index] = last;
}
