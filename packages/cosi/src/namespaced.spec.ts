import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { note } from "./conformance/state-fixtures.ts";
import { stateConformance } from "./conformance/state.ts";
import { createInMemoryState } from "./in-memory.ts";
import { createNamespacedState } from "./namespaced.ts";
import { wrapCore } from "./wrap-core.ts";

stateConformance({
  name: "namespaced",
  boundsWatches: true,
  open: async (options) => ({
    state: wrapCore(createNamespacedState(() => createInMemoryState(options))),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }),
});

describe("createNamespacedState()", () => {
  it("builds one state per namespace, at first touch", async () => {
    const built: string[] = [];
    const state = createNamespacedState((namespace) => {
      built.push(namespace);
      return createInMemoryState();
    });
    assert.deepEqual(built, []);
    await state.create(note("a", {}, { namespace: "one" }));
    await state.create(note("b", {}, { namespace: "one" }));
    await state.list({ namespace: "two", type: "Notes" });
    assert.deepEqual(built, ["one", "two"]);
  });
});
