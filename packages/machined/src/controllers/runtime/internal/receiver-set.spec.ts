import assert from "node:assert/strict";
import { it } from "node:test";
import { createReceiverSet } from "./receiver-set.ts";

it("createReceiverSet() starts what is new, ends what is gone, and leaves the rest alone", () => {
  const over = new AbortController();
  const signals = new Map<string, AbortSignal>();
  const receivers = createReceiverSet<string>(over.signal);
  const set = (...names: readonly string[]): void =>
    receivers.set(new Map(names.map((name) => [name, name])), (name, signal) => {
      assert.ok(!signals.has(name));
      signals.set(name, signal);
    });
  set("a", "b");
  set("b", "c");
  const ended = (): boolean[] => ["a", "b", "c"].map((name) => signals.get(name)?.aborted ?? false);
  assert.deepEqual(ended(), [true, false, false]);
  receivers[Symbol.dispose]();
  assert.deepEqual(ended(), [true, true, true]);
});
