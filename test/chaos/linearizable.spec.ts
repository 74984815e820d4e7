import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { byKey, type Action, type Operation } from "./history.ts";
import { checkRegister } from "./linearizable.ts";
import { createRandom } from "./random.ts";

const read = (observed: string | undefined): Action => ({ kind: "read", observed });
const write = (value: string): Action => ({ kind: "write", value });
const swap = (expected: string | undefined, value: string): Action => ({ kind: "swap", expected, value });

/** Operations as `[client, action, invoked, returned]`; without the last one there was no answer. */
type Row = readonly [client: string, action: Action, invokedMs: number, returnedMs?: number];
const historyOf = (...rows: readonly Row[]): Operation[] =>
  rows.map(([client, action, invokedMs, returnedMs = Infinity]) => ({
    client,
    key: "k",
    action,
    invokedMs,
    returnedMs,
  }));

describe("checkRegister", () => {
  const good: Readonly<Record<string, readonly Row[]>> = {
    "nothing at all": [],
    "one client after the other": [
      ["a", read(undefined), 0, 1],
      ["a", write("1"), 2, 3],
      ["b", read("1"), 4, 5],
      ["b", swap("1", "2"), 6, 7],
      ["a", read("2"), 8, 9],
    ],
    "reads of both values beside the write": [
      ["a", write("1"), 0, 10],
      ["b", read(undefined), 1, 2],
      ["c", read("1"), 3, 4],
    ],
    "a write without an answer that is seen later": [
      ["a", write("1"), 0],
      ["b", read(undefined), 5, 6],
      ["b", write("2"), 7, 8],
      ["b", read("1"), 9, 10],
    ],
    "a write without an answer that never happened": [
      ["a", write("1"), 0],
      ["b", read(undefined), 5, 6],
    ],
    "a swap without an answer that was refused, and one that was not": [
      ["a", write("1"), 0, 1],
      ["b", swap("9", "2"), 2],
      ["c", swap("1", "3"), 2],
      ["a", read("1"), 3, 4],
      ["a", read("3"), 5, 6],
    ],
    "a read that ends when the write begins": [
      ["a", read("1"), 0, 5],
      ["b", write("1"), 5, 6],
    ],
    "many writes at once, read in an order of their own": [
      ...["1", "2", "3", "4", "5", "6"].map((value): Row => [`w${value}`, write(value), 0, 20]),
      ...["6", "3", "5", "1", "2", "4"].map((value, index): Row => ["r", read(value), index + 1, index + 1.5]),
    ],
  };
  for (const [name, rows] of Object.entries(good)) {
    it(`explains ${name}`, () => {
      const history = historyOf(...rows);
      const { linearizable, order } = checkRegister(history);
      assert.equal(linearizable, true);
      assert.ok(order.length <= history.length);
    });
  }

  const bad: Readonly<Record<string, { readonly rows: readonly Row[]; readonly unexplained: string }>> = {
    "a lost write: acknowledged, and gone": {
      rows: [
        ["a", write("1"), 0, 1],
        ["b", read(undefined), 2, 3],
      ],
      unexplained: "b",
    },
    "a stale read after a newer value was seen": {
      rows: [
        ["a", write("1"), 0, 1],
        ["a", write("2"), 2, 10],
        ["b", read("2"), 3, 4],
        ["c", read("1"), 5, 6],
      ],
      unexplained: "c",
    },
    "a value that nobody wrote": { rows: [["a", read("7"), 0, 1]], unexplained: "a" },
    "two swaps of the same value": {
      rows: [
        ["a", write("1"), 0, 1],
        ["b", swap("1", "2"), 2, 5],
        ["c", swap("1", "3"), 2, 5],
      ],
      unexplained: "b",
    },
    "a write without an answer that comes and goes": {
      rows: [
        ["a", write("1"), 0, 1],
        ["b", write("2"), 2],
        ["c", read("2"), 3, 4],
        ["c", read("1"), 5, 6],
      ],
      unexplained: "c",
    },
    "a value read before it was written": {
      rows: [
        ["a", read("1"), 0, 4],
        ["b", write("1"), 5, 6],
      ],
      unexplained: "a",
    },
  };
  for (const [name, { rows, unexplained }] of Object.entries(bad)) {
    it(`does not explain ${name}`, () => {
      const verdict = checkRegister(historyOf(...rows));
      assert.equal(verdict.linearizable, false);
      assert.equal(verdict.unexplained?.client, unexplained);
    });
  }

  it("begins with the value that the register had", () => {
    assert.ok(checkRegister(historyOf(["a", read("0"), 0, 1]), "0").linearizable);
    assert.ok(!checkRegister(historyOf(["a", read(undefined), 0, 1]), "0").linearizable);
  });

  it("explains long histories of a real register, and none of them once a value is forged", () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const history = simulate(seed, 300);
      assert.ok(checkRegister(history).linearizable, `seed ${String(seed)}`);
      const reads = history.filter(({ action }) => action.kind === "read");
      const late = reads.at(-1);
      assert.ok(late !== undefined);
      const forged = history.with(history.indexOf(late), { ...late, action: read("forged") });
      assert.ok(!checkRegister(forged).linearizable, `seed ${String(seed)}`);
    }
  });
});

describe("byKey", () => {
  it("puts the operations of each register together, in their order", () => {
    const [first, second] = historyOf(["a", write("1"), 0, 1], ["b", read("1"), 2, 3]);
    assert.ok(first !== undefined && second !== undefined);
    const other = { ...second, key: "other" };
    assert.deepEqual(
      [...byKey([first, other, second])],
      [
        ["k", [first, second]],
        ["other", [other]],
      ],
    );
  });
});

/** The history of clients of a register that does what it should; some answers get lost. */
function simulate(seed: number, count: number): Operation[] {
  const random = createRandom(seed);
  const ready = new Map(["a", "b", "c", "d"].map((client) => [client, 0]));
  let state: string | undefined;
  const plans = Array.from({ length: count }, (_, index) => {
    const client = random.pick([...ready.keys()]);
    const invokedMs = (ready.get(client) ?? 0) + random.below(5);
    const happensMs = invokedMs + random.below(10) + 0.1;
    const returnedMs = happensMs + random.below(10);
    ready.set(client, returnedMs + 0.1);
    return {
      client,
      invokedMs,
      happensMs,
      returnedMs,
      index,
      write: random.below(2) === 0,
      lost: random.below(20) === 0,
    };
  }).sort((left, right) => left.happensMs - right.happensMs);
  return plans.flatMap(({ client, invokedMs, returnedMs, index, write: writes, lost }): Operation[] => {
    const value = `v${String(index)}`;
    const action = writes ? write(value) : read(state);
    if (writes) state = value;
    if (lost && !writes) return [];
    return [{ client, key: "k", action, invokedMs, returnedMs: lost ? Infinity : returnedMs }];
  });
}
