import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createQueue } from "@talos-ts/base";
import { note, notePointer, noteType, type Note } from "./conformance/state-fixtures.ts";
import { follow } from "./follow.ts";
import { createInMemoryState } from "./in-memory.ts";
import type { CoreState } from "./state.ts";
import { withSpec } from "./wrap-core.ts";

describe("follow()", () => {
  it("tells what there is, every change and the end", async () => {
    const state = createInMemoryState();
    const told = createQueue<Note | undefined>();
    const stop = new AbortController();
    const following = follow(state, noteType, "a", (spec) => told.push(spec), { signal: stop.signal, log: () => {} });
    const next = told[Symbol.asyncIterator]();
    assert.equal((await next.next()).value, undefined);
    const made = await state.create(note("a", { count: 1 }));
    assert.equal((await next.next()).value?.count, 1);
    await state.update(withSpec(made, { text: "a", count: 2 }));
    assert.equal((await next.next()).value?.count, 2);
    await state.destroy(notePointer("a"));
    assert.equal((await next.next()).value, undefined);
    stop.abort();
    await following;
  });

  it("opens the watch again when it fails, and says so", async () => {
    const memory = createInMemoryState();
    await memory.create(note("a", { count: 7 }));
    let failures = 1;
    const state: CoreState = {
      ...memory,
      watch: (...args) => (failures-- > 0 ? Promise.reject(new Error("no connection")) : memory.watch(...args)),
    };
    const lines: string[] = [];
    const stop = new AbortController();
    const counts: (number | undefined)[] = [];
    await follow(
      state,
      noteType,
      "a",
      (spec) => {
        counts.push(spec?.count);
        stop.abort();
      },
      { signal: stop.signal, log: (line) => lines.push(line) },
    );
    assert.deepEqual(counts, [7]);
    assert.deepEqual(lines, ["watch of Notes.conformance.cosi.dev ended, trying again: no connection"]);
  });
});
