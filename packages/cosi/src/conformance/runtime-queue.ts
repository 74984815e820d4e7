import assert from "node:assert/strict";
import { createManualClock } from "@talos-ts/base";
import type { QueueController } from "../controller.ts";
import { pointerTo } from "../resource.ts";
import { RequeueAfter } from "../runtime/control.ts";
import { mapped, primary } from "../runtime/declare.ts";
import { queueTransformController } from "../runtime/queue-transform-controller.ts";
import { createGate, runtimeCriterion } from "./runtime-fixtures.ts";
import { group, note, notePointer, noteType, otherType, type Note, type StateSubject } from "./state-fixtures.ts";

function queueController(
  reconcile: QueueController["reconcile"],
  rest: Partial<QueueController> = {},
): QueueController {
  return { name: "queue", inputs: [primary(noteType)], outputs: [], reconcile, ...rest };
}

const other = (id: string, text: string): ReturnType<typeof note> => ({
  ...note(id, { text }),
  metadata: { ...note(id).metadata, type: otherType.type },
});

/** Controllers that work on one resource at a time. */
export function runtimeQueueCriteria(subject: StateSubject): void {
  group("queue", () => {
    runtimeCriterion(subject, "holds what exists at the start and what changes", {}, async (test) => {
      await test.create(note("a"), note("b"));
      const seen: string[] = [];
      const enough = createGate();
      test.runtime.register(
        queueController(async (_, { id }) => {
          seen.push(id);
          if (id === "c") enough.open();
        }),
      );
      await test.assertStatus("queue", ({ reconciles }) => assert.equal(reconciles, 2));
      await test.create(note("c"));
      await enough.opened;
      assert.deepEqual(seen, ["a", "b", "c"]);
    });
    runtimeCriterion(subject, "works on several items at once, on one item once", {}, async (test) => {
      await test.create(note("a"), note("b"), note("c"));
      const [resume, both, again] = [createGate(), createGate(), createGate()];
      let working = 0;
      let most = 0;
      const runs: string[] = [];
      const busy = new Set<string>();
      test.runtime.register(
        queueController(
          async (_, { id }) => {
            assert.ok(!busy.has(id), `${id} is worked on twice at once`);
            busy.add(id);
            working += 1;
            most = Math.max(most, working);
            runs.push(id);
            if (working === 2) both.open();
            if (runs.filter((other) => other === "a").length === 2) again.open();
            await resume.opened;
            working -= 1;
            busy.delete(id);
          },
          { concurrency: 2 },
        ),
      );
      await both.opened;
      for (let count = 1; count <= 5; count += 1) await test.update(noteType, "a", (spec) => ({ ...spec, count }));
      await test.assertStatus("queue", ({ queue }) => assert.deepEqual(queue, { ready: 2, running: 2, delayed: 0 }));
      resume.open();
      await again.opened;
      await test.assertStatus("queue", ({ state }) => assert.equal(state, "waiting"));
      assert.equal(most, 2);
      assert.deepEqual(runs.toSorted(), ["a", "a", "b", "c"]);
    });
    runtimeCriterion(subject, "is fed by mapped inputs", {}, async (test) => {
      await test.create(note("a"));
      const seen: string[] = [];
      test.runtime.register(
        queueController(async (_, { id }) => void seen.push(id), {
          inputs: [primary(noteType), mapped(otherType)],
          mapInput: async (context, changed) => [notePointer((await context.get(otherType, changed.id)).spec.text)],
        }),
      );
      await test.assertStatus("queue", ({ reconciles }) => assert.equal(reconciles, 1));
      await test.create(other("x", "a"));
      await test.assertStatus("queue", () => assert.deepEqual(seen, ["a", "a"]));
    });
    const clock = createManualClock();
    const backoff = { initialMs: 100, factor: 2, jitter: 0 };
    runtimeCriterion(subject, "gives each failed item its own backoff", { clock, backoff }, async (test) => {
      await test.create(note("bad"), note("good"));
      const runs: string[] = [];
      test.runtime.register(
        queueController(async (_, { id }) => {
          runs.push(`${id} ${clock.now()}`);
          if (id === "bad" && runs.length < 4) throw new Error("not yet");
        }),
      );
      const waits = (count: number): Promise<unknown> =>
        test.assertStatus("queue", ({ queue, state, reconciles }) =>
          assert.deepEqual([queue?.delayed, state, reconciles], [count === 4 ? 0 : 1, "waiting", count]),
        );
      await waits(2);
      await clock.advance(100);
      await waits(3);
      await clock.advance(200);
      await waits(4);
      assert.deepEqual(runs, ["bad 0", "good 0", "bad 100", "bad 300"]);
      const { lastError } = await test.assertStatus("queue", ({ failures }) => assert.equal(failures, 0));
      assert.equal(lastError?.error.message, "not yet");
    });
    const later = createManualClock();
    runtimeCriterion(subject, "brings an item back after RequeueAfter", { clock: later }, async (test) => {
      await test.create(note("a"));
      const times: number[] = [];
      test.runtime.register(
        queueController(async () => {
          times.push(later.now());
          if (times.length === 1) throw new RequeueAfter(5000);
        }),
      );
      await test.assertStatus("queue", ({ queue, lastError }) => {
        assert.equal(lastError, undefined);
        assert.equal(queue?.delayed, 1);
      });
      await later.advance(5000);
      await test.assertStatus("queue", ({ reconciles, state }) =>
        assert.deepEqual([reconciles, state], [2, "waiting"]),
      );
      assert.deepEqual(times, [0, 5000]);
    });
  });

  group("queueTransformController()", () => {
    const released: string[] = [];
    const transform = queueTransformController<Note, Note>({
      name: "transform",
      input: noteType,
      output: otherType,
      concurrency: 4,
      transform: ({ spec }) => (spec.count < 0 ? undefined : { text: spec.text, count: spec.count + 1 }),
      async beforeRelease({ metadata }) {
        released.push(metadata.id);
      },
    });
    runtimeCriterion(
      subject,
      "follows inputs and holds them until outputs are gone",
      { register: [transform] },
      async (test) => {
        await test.create(...Array.from({ length: 10 }, (_, index) => note(`n${index}`, { count: index })));
        for (let index = 0; index < 10; index += 1) {
          await test.assertSpec(otherType, `n${index}`, { text: `n${index}`, count: index + 1 });
        }
        await test.assertResource(noteType, "n3", ({ metadata }) =>
          assert.deepEqual(metadata.finalizers, ["transform"]),
        );
        await test.update(noteType, "n4", (spec) => ({ ...spec, count: -1 }));
        await test.assertNoResource(otherType, "n4");
        await test.state.addFinalizer(pointerTo(otherType, "n3"), "reader");
        await test.state.teardown(notePointer("n3"));
        await test.assertResource(otherType, "n3", ({ metadata }) => assert.equal(metadata.phase, "tearingDown"));
        await test.state.removeFinalizer(pointerTo(otherType, "n3"), "reader");
        await test.assertNoResource(otherType, "n3");
        await test.assertResource(noteType, "n3", ({ metadata }) => assert.deepEqual(metadata.finalizers, []));
        await test.remove(note("n4"));
        assert.ok(released.includes("n3") && released.includes("n4"));
      },
    );
  });
}
