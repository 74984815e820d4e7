import { setTimeout as pause } from "node:timers/promises";
import type { Action, Operation, Value } from "./history.ts";
import { createRandom } from "./random.ts";
import type { Store, StoreClient } from "./store.ts";

/** End of an operation: with an answer, refused before anything was done, or so that nobody knows. */
export type Outcome = "ok" | "refused" | "unknown";

/** Operations of the writers between two calls of `collect`. */
export interface Records {
  /** Everything that may have happened; what was refused did not. */
  readonly history: readonly Operation[];
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Times at which operations were acknowledged, in ms and in that order. */
  readonly acknowledgedMs: readonly number[];
  /** Values that an answer confirmed, by keys that are written once. */
  readonly appended: ReadonlyMap<string, string>;
}

/** Clients that read and write registers of a store, all at the same time, until they are stopped. */
export interface Writers extends AsyncDisposable {
  readonly store: string;
  /** Goes over to registers that nobody has used, and forgets the old ones. */
  begin(): void;
  /** Lets the operations that run end, reads every register once more, and gives all records since `begin`. */
  collect(): Promise<Records>;
  /** Keys whose value is not the one given. */
  missing(values: ReadonlyMap<string, string>): Promise<readonly string[]>;
}

export interface WritersOptions {
  readonly store: Store;
  readonly seed: number;
  /** Clients that work at the same time. */
  readonly clients: number;
  /** Registers that they share. */
  readonly registers: number;
  /** Time of a client between two operations, in ms. */
  readonly pauseMs: number;
  /** Limit of the reads at the end, in ms: the cluster is healthy then. */
  readonly finalMs?: number;
}

interface Notes {
  readonly name: string;
  readonly history: Operation[];
  readonly counts: Record<Outcome, number>;
  readonly acknowledgedMs: number[];
  readonly appended: Map<string, string>;
}

export function startWriters(options: WritersOptions): Writers {
  const { store, seed, clients, registers, pauseMs, finalMs = 60_000 } = options;
  const stop = new AbortController();
  let notes: Notes | undefined;
  let serial = 0;
  let round = 0;
  const running = new Set<Promise<void>>();
  const connections = Array.from({ length: clients }, (_, index) => store.connect(index));

  async function record(to: Notes, client: string, key: string, work: () => Promise<Action>, planned?: Action) {
    const invokedMs = performance.now();
    try {
      const action = await work();
      const returnedMs = performance.now();
      to.counts.ok += 1;
      to.acknowledgedMs.push(returnedMs);
      to.history.push({ client, key, action, invokedMs, returnedMs });
      return action;
    } catch (err) {
      const refused = store.refused(err);
      to.counts[refused ? "refused" : "unknown"] += 1;
      // A read without an answer says nothing.
      if (!refused && planned !== undefined) {
        to.history.push({ client, key, action: planned, invokedMs, returnedMs: Infinity });
      }
      return undefined;
    }
  }

  /** One operation by chance: six of ten write, one appends a key of its own, one swaps, two read. */
  async function operate(
    to: Notes,
    name: string,
    connection: StoreClient,
    dice: number,
    register: number,
  ): Promise<void> {
    const key = `${to.name}-${String(register)}`;
    const value = `${name}-${String((serial += 1))}`;
    if (dice < 6) {
      const action: Action = { kind: "write", value };
      await record(to, name, key, () => connection.write(key, value).then(() => action), action);
    } else if (dice < 7) {
      const own = `${to.name}-log-${value}`;
      const action: Action = { kind: "write", value };
      const done = await record(to, name, own, () => connection.write(own, value).then(() => action), action);
      if (done !== undefined) to.appended.set(own, value);
    } else if (dice < 8) {
      const seen = await record(to, name, key, () => readOf(connection, key));
      if (seen?.kind !== "read") return;
      const planned: Action = { kind: "swap", expected: seen.observed, value };
      const work = async (): Promise<Action> => {
        const { swapped, found } = await connection.swap(key, seen.observed, value);
        return swapped ? planned : { kind: "read", observed: found };
      };
      await record(to, name, key, work, planned);
    } else {
      await record(to, name, key, () => readOf(connection, key));
    }
  }

  async function run(connection: StoreClient, index: number): Promise<void> {
    const random = createRandom(seed * 1000 + index);
    const name = `${store.name}${String(index)}`;
    while (!stop.signal.aborted) {
      if (notes !== undefined) {
        const work = operate(notes, name, connection, random.below(10), random.below(registers));
        running.add(work);
        await work;
        running.delete(work);
      }
      await pause(pauseMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }

  /** Asks until there is an answer, as the cluster is healthy. */
  async function persist(key: string, ask: () => Promise<Action | undefined>): Promise<Action> {
    const until = performance.now() + finalMs;
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      if (performance.now() > until) throw new Error(`${store.name}: ${key} cannot be read after the fault`);
      await pause(pauseMs);
    }
  }

  const loops = connections.map(run);
  return {
    store: store.name,
    begin() {
      const name = `chaos-${String((round += 1))}`;
      notes = { name, history: [], counts: { ok: 0, refused: 0, unknown: 0 }, acknowledgedMs: [], appended: new Map() };
    },
    async collect() {
      const done = notes;
      if (done === undefined) throw new Error("writers were not begun");
      notes = undefined;
      await Promise.all(running);
      await using own = store.connect(0);
      for (const key of new Set(done.history.map((operation) => operation.key))) {
        await persist(key, () => record(done, `${store.name}-final`, key, () => readOf(own, key)));
      }
      return done;
    },
    async missing(values) {
      await using own = store.connect(0);
      const wrong: string[] = [];
      for (const [key, value] of values) {
        const seen = await persist(key, () => readOf(own, key).catch(() => undefined));
        if (seen.kind !== "read" || seen.observed !== value) wrong.push(key);
      }
      return wrong;
    },
    async [Symbol.asyncDispose]() {
      notes = undefined;
      stop.abort();
      await Promise.all(loops);
      await Promise.all(connections.map((connection) => connection[Symbol.asyncDispose]()));
    },
  };
}

async function readOf(connection: StoreClient, key: string): Promise<Action> {
  const observed: Value = await connection.read(key);
  return { kind: "read", observed };
}
