import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { controllerTest } from "../conformance/controller-test.ts";
import { note, noteType, otherType } from "../conformance/state-fixtures.ts";
import { createInMemoryState } from "../in-memory.ts";
import type { Watch } from "../state.ts";
import { wrapCore } from "../wrap-core.ts";
import { transformController } from "./transform-controller.ts";

describe("createWatchHub()", () => {
  it("watches again after a watch failed, and controllers hear of what they missed", async () => {
    const clock = createManualClock();
    const inner = wrapCore(createInMemoryState());
    const watches: Watch[] = [];
    const state = {
      ...inner,
      async watchKind(...args: Parameters<typeof inner.watchKind>) {
        const watch = await inner.watchKind(...args);
        watches.push(watch);
        return watch;
      },
    };
    await using test = controllerTest({
      state,
      clock,
      backoff: { initialMs: 10, jitter: 0 },
      register: [
        transformController({ name: "copy", input: noteType, output: otherType, transform: ({ spec }) => spec }),
      ],
    });
    await test.create(note("a", { count: 1 }));
    await test.assertSpec(otherType, "a", { text: "a", count: 1 });
    await Promise.all(watches.map((watch) => watch[Symbol.asyncDispose]()));
    await test.update(noteType, "a", (spec) => ({ ...spec, count: 2 }));
    while (clock.sleeping < 2) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    await clock.advance(10);
    await test.assertSpec(otherType, "a", { text: "a", count: 2 });
    assert.equal(test.logs.filter(({ message }) => message === "watch failed, watching again").length, 2);
  });
});
