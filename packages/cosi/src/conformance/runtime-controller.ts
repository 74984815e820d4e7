import assert from "node:assert/strict";
import { createManualClock } from "@talos-ts/base";
import { SkipReconcile, TerminalError } from "../runtime/control.ts";
import { destroyReady, exclusive, shared, strong, weak } from "../runtime/declare.ts";
import { kindOf, pointerTo, type Pointer } from "../resource.ts";
import { bareController, createGate, runtimeCriterion } from "./runtime-fixtures.ts";
import { group, ids, note, notePointer, notes, noteType, otherType, type StateSubject } from "./state-fixtures.ts";

/** Waking, reading, writing, restarting. */
export function runtimeControllerCriteria(subject: StateSubject): void {
  group("events", () => {
    runtimeCriterion(subject, "start with one and follow every change with its cause", {}, async (test) => {
      const causes: (Pointer | undefined)[] = [];
      const controller = bareController("me", { inputs: [weak(noteType)] }, async ({ events }) => {
        for await (const { cause } of events) causes.push(cause);
      });
      test.runtime.register(controller);
      await test.assertStatus("me", ({ state, reconciles }) => assert.deepEqual([state, reconciles], ["waiting", 1]));
      await test.create(note("a"));
      const { wakeCause } = await test.assertStatus("me", ({ reconciles }) => assert.ok(reconciles >= 2));
      assert.deepEqual(wakeCause, notePointer("a"));
      assert.equal(causes[0], undefined);
    });
    runtimeCriterion(subject, "merge while the controller works", {}, async (test) => {
      const [working, resume] = [createGate(), createGate()];
      let reconciles = 0;
      const run = bareController("me", { inputs: [weak(noteType)] }, async ({ events }) => {
        for await (const _ of events) {
          reconciles += 1;
          working.open();
          await resume.opened;
        }
      });
      // The witness sees what the first one missed while it worked.
      const witness = bareController("witness", { inputs: [weak(noteType)] }, async (context) => {
        for await (const _ of context.events) if ((await context.list(noteType)).length === 20) resume.open();
      });
      test.runtime.register(run, witness);
      await working.opened;
      for (let index = 0; index < 20; index += 1) await test.create(note(`n${index}`));
      await test.assertStatus("me", ({ state }) => assert.equal(state, "waiting"));
      assert.ok(reconciles >= 2 && reconciles <= 4, `${reconciles} reconciles`);
    });
    runtimeCriterion(subject, "come only for the declared id", {}, async (test) => {
      const controller = bareController("me", { inputs: [weak(noteType, { id: "b" })] }, async ({ events }) => {
        for await (const _ of events);
      });
      test.runtime.register(controller);
      await test.assertStatus("me", ({ state }) => assert.equal(state, "waiting"));
      await test.create(note("a"), note("c"), note("b"));
      const { reconciles } = await test.assertStatus("me", ({ wakeCause }) => assert.equal(wakeCause?.id, "b"));
      assert.equal(reconciles, 2);
    });
    runtimeCriterion(subject, "of destroy-ready inputs come when nobody holds the resource", {}, async (test) => {
      const woken: (string | undefined)[] = [];
      const controller = bareController("me", { inputs: [destroyReady(noteType)] }, async ({ events }) => {
        for await (const { cause } of events) woken.push(cause?.id);
      });
      test.runtime.register(controller);
      await test.assertStatus("me", ({ state }) => assert.equal(state, "waiting"));
      await test.create(note("a", {}, { finalizers: ["x"] }));
      await test.state.teardown(notePointer("a"));
      await test.state.removeFinalizer(notePointer("a"), "x");
      await test.assertStatus("me", ({ reconciles }) => assert.equal(reconciles, 2));
      assert.deepEqual(woken, [undefined, "a"]);
    });
    runtimeCriterion(subject, "follow updateInputs()", {}, async (test) => {
      const switched = createGate();
      const seen: number[] = [];
      const controller = bareController("me", { inputs: [weak(noteType)] }, async (context) => {
        await context.updateInputs([weak(otherType)]);
        await assert.rejects(context.list(noteType), { code: "runtime/undeclared-read" });
        switched.open();
        for await (const _ of context.events) seen.push((await context.list(otherType)).length);
      });
      test.runtime.register(controller);
      await switched.opened;
      await test.create({ ...note("a"), metadata: { ...note("a").metadata, type: otherType.type } });
      await test.assertStatus("me", ({ wakeCause }) => assert.equal(wakeCause?.type, otherType.type));
      await test.assertStatus("me", ({ state }) => assert.equal(state, "waiting"));
      assert.equal(seen.at(-1), 1);
      assert.deepEqual(
        test.runtime.dependencies().map(({ edgeKind, resourceType }) => `${edgeKind} ${resourceType}`),
        [`input-weak ${otherType.type}`],
      );
    });
  });

  group("reads and writes", () => {
    runtimeCriterion(subject, "agree: what was written is read back at once", {}, async (test) => {
      const counts: (number | undefined)[] = [];
      const lengths: number[] = [];
      const controller = bareController(
        "me",
        { inputs: [weak(noteType)], outputs: [exclusive(noteType)] },
        async (context) => {
          for (let round = 0; round < 50; round += 1) {
            for (let count = 1; count <= 3; count += 1) {
              await context.modify(noteType, "a", () => note("a", { count }).spec);
              counts.push((await context.find(noteType, "a"))?.spec.count);
            }
            assert.ok(await context.teardown(notePointer("a")));
            assert.equal((await context.get(noteType, "a")).metadata.phase, "tearingDown");
            await context.destroy(notePointer("a"));
            counts.push((await context.find(noteType, "a"))?.spec.count);
            lengths.push((await context.list(noteType)).length);
          }
        },
      );
      test.runtime.register(controller);
      await test.assertStatus("me", ({ state, lastError }) => {
        assert.equal(lastError, undefined);
        assert.equal(state, "finished");
      });
      assert.deepEqual(counts, Array.from({ length: 50 }, () => [1, 2, 3, undefined]).flat());
      assert.ok(lengths.every((length) => length === 0));
    });
    runtimeCriterion(subject, "modify() writes nothing when nothing changes", {}, async (test) => {
      const controller = bareController("me", { outputs: [exclusive(noteType)] }, async (context) => {
        for (let round = 0; round < 3; round += 1) {
          await context.modify(noteType, "a", () => note("a").spec, { labels: { x: "y" } });
        }
      });
      test.runtime.register(controller);
      await test.assertStatus("me", ({ state }) => assert.equal(state, "finished"));
      const { metadata } = await test.assertResource(noteType, "a");
      assert.deepEqual([metadata.version, metadata.owner, metadata.labels], [1, "me", { x: "y" }]);
    });
    runtimeCriterion(subject, "cleanupOutputs() removes own outputs that were not written", {}, async (test) => {
      await test.create(
        note("stale", {}, { owner: "me" }),
        note("kept", {}, { owner: "me" }),
        note("held", {}, { owner: "me", finalizers: ["x"] }),
        note("foreign", {}, { owner: "other" }),
      );
      const controller = bareController("me", { outputs: [shared(noteType)] }, async (context) => {
        context.startTrackingOutputs();
        await context.modify(noteType, "kept", (spec) => spec ?? note("kept").spec);
        await context.cleanupOutputs(kindOf(noteType));
      });
      test.runtime.register(controller);
      await test.assertStatus("me", ({ state }) => assert.equal(state, "finished"));
      assert.deepEqual(ids(await test.state.list(notes)), ["foreign", "held", "kept"]);
      await test.assertResource(noteType, "held", ({ metadata }) => assert.equal(metadata.phase, "tearingDown"));
    });
    runtimeCriterion(subject, "strong inputs can be held and let go", {}, async (test) => {
      await test.create(note("a"));
      const controller = bareController("me", { inputs: [strong(noteType)] }, async (context) => {
        for await (const _ of context.events) {
          const found = await context.find(noteType, "a");
          if (found?.metadata.phase === "tearingDown") await context.removeFinalizer(found.metadata, "me");
          else if (found?.metadata.finalizers.length === 0) await context.addFinalizer(found.metadata, "me");
        }
      });
      test.runtime.register(controller);
      await test.assertResource(noteType, "a", ({ metadata }) => assert.deepEqual(metadata.finalizers, ["me"]));
      await test.remove(note("a"));
      await test.assertNoResource(noteType, "a");
    });
    runtimeCriterion(subject, "what was looked for in vain is reported", {}, async (test) => {
      const inputs = [weak(noteType)];
      const controller = bareController("me", { inputs, outputs: [exclusive(otherType)] }, async (context) => {
        for await (const _ of context.events) {
          await context.find(noteType, "a");
          await context.find(otherType, "own");
        }
      });
      test.runtime.register(controller);
      const before = await test.assertStatus("me", ({ state }) => assert.equal(state, "waiting"));
      assert.deepEqual(before.missing, [pointerTo(noteType, "a")]);
      await test.create(note("a"));
      await test.assertStatus("me", ({ state, missing }) => assert.deepEqual([state, missing], ["waiting", []]));
    });
  });

  group("restart", () => {
    const clock = createManualClock(1000);
    const backoff = { initialMs: 100, factor: 2, jitter: 0 };
    runtimeCriterion(subject, "comes after a backoff that grows and can be reset", { clock, backoff }, async (test) => {
      let runs = 0;
      test.runtime.register(
        bareController("me", {}, async (context) => {
          runs += 1;
          if (runs === 4) context.resetRestartBackoff();
          throw new Error(`failure ${runs}`);
        }),
      );
      const delays: number[] = [];
      for (let failure = 1; failure <= 4; failure += 1) {
        const status = await test.assertStatus("me", ({ state, lastError }) => {
          assert.equal(state, "backing-off");
          assert.equal(lastError?.error.message, `failure ${failure}`);
        });
        const delay = (status.retryAt ?? 0) - clock.now();
        delays.push(delay);
        await clock.advance(delay);
      }
      assert.deepEqual(delays, [100, 200, 400, 100]);
      assert.deepEqual(test.logs.slice(0, 3), [
        { level: "debug", message: "controller starting", fields: { controller: "me" } },
        { level: "error", message: "controller failed", fields: { controller: "me", error: "failure 1" } },
        { level: "debug", message: "restarting controller in 100ms", fields: { controller: "me" } },
      ]);
    });
    runtimeCriterion(subject, "does not come after TerminalError", {}, async (test) => {
      test.runtime.register(
        bareController("me", {}, async () => {
          throw new TerminalError(new Error("no way"));
        }),
      );
      const { lastError } = await test.assertStatus("me", ({ state }) => assert.equal(state, "failed"));
      assert.equal(lastError?.error.message, "no way");
    });
    runtimeCriterion(subject, "waits for a change after SkipReconcile", {}, async (test) => {
      const controller = bareController("me", { inputs: [weak(noteType)] }, async (context) => {
        for await (const _ of context.events) {
          if ((await context.find(noteType, "a")) === undefined) throw new SkipReconcile("no note");
          return;
        }
      });
      test.runtime.register(controller);
      await test.assertStatus("me", ({ state }) => assert.equal(state, "waiting"));
      await test.create(note("a"));
      const { restarts } = await test.assertStatus("me", ({ state }) => assert.equal(state, "finished"));
      assert.equal(restarts, 0);
    });
  });
}
