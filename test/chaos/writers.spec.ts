import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { eventually } from "../integration/cluster-support.ts";
import { findViolations } from "./find-violations.ts";
import type { Value } from "./history.ts";
import type { Store } from "./store.ts";
import { startWriters, type Records } from "./writers.ts";

interface Behaviour {
  /** Called with every write that is acknowledged; `false` loses it. */
  readonly keeps?: (count: number) => boolean;
  /** Called with every call; an error that is returned is its answer, after it was done or before. */
  readonly fails?: (count: number) => "before" | "after" | undefined;
}

/** Registers in memory, which do what they should except where they are told otherwise. */
function memoryStore({ keeps = () => true, fails = () => undefined }: Behaviour = {}): Store & { calls: number } {
  const values = new Map<string, string>();
  const refusal = new Error("refused");
  let writes = 0;
  const store = { calls: 0 };
  const call = async <T>(work: () => T): Promise<T> => {
    await new Promise(setImmediate);
    const failure = fails((store.calls += 1));
    if (failure === "before") throw refusal;
    const answer = work();
    await new Promise(setImmediate);
    if (failure === "after") throw new Error("no answer");
    return answer;
  };
  const put = (key: string, value: string): void => {
    if (keeps((writes += 1))) values.set(key, value);
  };
  return Object.assign(store, {
    name: "memory",
    refused: (err: unknown) => err === refusal,
    connect: () => ({
      read: (key: string) => call((): Value => values.get(key)),
      write: (key: string, value: string) => call(() => put(key, value)),
      swap: (key: string, expected: Value, value: string) =>
        call(() => {
          const found = values.get(key);
          if (found !== expected) return { swapped: false, found };
          put(key, value);
          return { swapped: true };
        }),
      async [Symbol.asyncDispose]() {},
    }),
  });
}

async function record(store: Store & { readonly calls: number }, calls: number): Promise<Records> {
  await using writers = startWriters({ store, seed: 5, clients: 4, registers: 2, pauseMs: 0 });
  writers.begin();
  await eventually(
    async () => store.calls,
    (made) => made >= calls,
  );
  return await writers.collect();
}

describe("startWriters", () => {
  it("records a history of a store that works, which is linearizable", async () => {
    const { history, counts, appended, acknowledgedMs } = await record(memoryStore(), 500);
    assert.deepEqual(findViolations("memory", history), []);
    assert.equal(counts.ok, history.length);
    assert.equal(acknowledgedMs.length, history.length);
    assert.ok(appended.size > 0);
  });

  it("tells refused operations from those that nobody knows of", async () => {
    const fails = (count: number) => (count % 7 === 0 ? "before" : count % 5 === 0 ? "after" : undefined);
    const { history, counts } = await record(memoryStore({ fails }), 500);
    assert.ok(counts.refused > 0 && counts.unknown > 0, JSON.stringify(counts));
    assert.deepEqual(findViolations("memory", history), []);
  });

  it("finds a store out that loses one acknowledged write in ten", async () => {
    const { history } = await record(memoryStore({ keeps: (count) => count % 10 !== 0 }), 1000);
    assert.notDeepEqual(findViolations("memory", history), []);
  });

  it("finds keys that were lost later", async () => {
    const store = memoryStore();
    await using writers = startWriters({ store, seed: 5, clients: 1, registers: 1, pauseMs: 0 });
    await using client = store.connect(0);
    await client.write("kept", "1");
    assert.deepEqual(
      await writers.missing(
        new Map([
          ["kept", "1"],
          ["gone", "2"],
        ]),
      ),
      ["gone"],
    );
  });
});
