import assert from "node:assert/strict";
import { createManualClock } from "@talos-ts/base";
import { exclusive, weak } from "../runtime/declare.ts";
import { transformController } from "../runtime/transform-controller.ts";
import { bareController, createGate, runtimeCriterion } from "./runtime-fixtures.ts";
import { group, note, noteType, otherType, type StateSubject } from "./state-fixtures.ts";

/** One bad controller must not hurt another. */
export function runtimeFaultCriteria(subject: StateSubject): void {
  const healthy = (): ReturnType<typeof transformController> =>
    transformController({ name: "healthy", input: noteType, output: otherType, transform: ({ spec }) => spec });

  const faults: readonly (readonly [string, Parameters<typeof bareController>[2]])[] = [
    ["throws before it waits", () => Promise.reject(new Error("broken"))],
    [
      "throws out of turn",
      () => {
        throw new TypeError("broken");
      },
    ],
    ["hangs", () => new Promise(() => undefined)],
    [
      "wakes itself for ever",
      async (context) => {
        for await (const _ of context.events) context.queueReconcile();
      },
    ],
    [
      "reads for ever",
      async (context) => {
        while (!context.signal.aborted) await context.find(noteType, "a");
      },
    ],
    [
      "writes for ever",
      async (context) => {
        const spec = note("flood").spec;
        const change = { namespace: "flood" };
        while (!context.signal.aborted)
          await context.modify(noteType, "flood", (last) => ({ ...spec, count: (last?.count ?? 0) + 1 }), change);
      },
    ],
  ];

  group("faults", () => {
    for (const [what, run] of faults) {
      const options = { stopTimeoutMs: 50 };
      runtimeCriterion(subject, `a controller that ${what} does not hurt another`, options, async (test) => {
        test.runtime.register(
          bareController("bad", { inputs: [weak(noteType)], outputs: [exclusive(noteType)] }, run),
          healthy(),
        );
        await test.create(note("a", { count: 1 }));
        await test.assertSpec(otherType, "a", { text: "a", count: 1 });
        await test.update(noteType, "a", (spec) => ({ ...spec, count: 2 }));
        await test.assertSpec(otherType, "a", { text: "a", count: 2 });
        // Timers still fire.
        await new Promise((resolve) => {
          setTimeout(resolve, 1);
        });
      });
    }

    const clock = createManualClock();
    const limits = { clock, reconcileDeadlineMs: 60_000, stopTimeoutMs: 5000 };
    runtimeCriterion(subject, "a hang is seen, marked and named at the stop", limits, async (test) => {
      const hanging = createGate();
      const hung = bareController("hung", { outputs: [exclusive(otherType)] }, async (context) => {
        for await (const _ of context.events) {
          hanging.open();
          await new Promise(() => undefined);
        }
      });
      test.runtime.register({ ...hung, reconcileDeadlineMs: 1000 }, healthyIdle());
      await hanging.opened;
      await clock.advance(1500);
      const status = await test.assertStatus("hung", ({ overdue }) => assert.ok(overdue));
      assert.deepEqual([status.state, status.since], ["reconciling", 0]);
      assert.equal(test.logs.filter(({ message }) => message === "reconcile takes too long").length, 1);
      const report = test.stop();
      await test.assertStatus("idle", ({ state }) => assert.equal(state, "stopped"));
      await clock.advance(5000);
      assert.deepEqual(await report, { stuck: ["hung"] });
    });
  });
}

function healthyIdle(): ReturnType<typeof bareController> {
  return bareController("idle", {}, async ({ events }) => {
    for await (const _ of events);
  });
}
