import assert from "node:assert/strict";
import { createResource, type Resource } from "../resource.ts";
import { cleanupController } from "../runtime/cleanup-controller.ts";
import { SkipReconcile } from "../runtime/control.ts";
import { exclusive, weak } from "../runtime/declare.ts";
import { mergeController, reduceController } from "../runtime/reduce-controller.ts";
import { transformController, type TransformControllerOptions } from "../runtime/transform-controller.ts";
import { runtimeCriterion } from "./runtime-fixtures.ts";
import { group, note, notePointer, noteType, otherType, type Note, type StateSubject } from "./state-fixtures.ts";
import { pointerTo } from "../resource.ts";

function doubler(
  options: Partial<TransformControllerOptions<Note, Note>> = {},
): ReturnType<typeof transformController> {
  return transformController({
    name: "doubler",
    input: noteType,
    output: otherType,
    transform: ({ spec }) => ({ text: spec.text, count: spec.count * 2 }),
    ...options,
  });
}

/** The controllers that are a function. */
export function runtimeShapeCriteria(subject: StateSubject): void {
  group("transformController()", () => {
    runtimeCriterion(subject, "keeps one output per input", { register: [doubler()] }, async (test) => {
      await test.create(note("a", { count: 1 }), note("b", { count: 2 }));
      await test.assertSpec(otherType, "a", { text: "a", count: 2 });
      await test.assertSpec(otherType, "b", { text: "b", count: 4 });
      await test.update(noteType, "a", (spec) => ({ ...spec, count: 5 }));
      await test.assertSpec(otherType, "a", { text: "a", count: 10 });
      await test.remove(note("a"));
      await test.assertNoResource(otherType, "a");
      await test.assertSpec(otherType, "b", { text: "b", count: 4 });
    });
    const single = doubler({ output: { ...otherType, id: "only" } });
    runtimeCriterion(
      subject,
      "writes under the id that the output type declares",
      { register: [single] },
      async (test) => {
        await test.create(note("a", { count: 1 }));
        await test.assertSpec(otherType, "only", { text: "a", count: 2 });
        await test.assertNoResource(otherType, "a");
      },
    );
    runtimeCriterion(
      subject,
      "puts back an output that somebody destroyed",
      { register: [doubler()] },
      async (test) => {
        await test.create(note("a", { count: 1 }));
        await test.assertSpec(otherType, "a", { text: "a", count: 2 });
        await test.state.teardownAndDestroy(pointerTo(otherType, "a"), { owner: "doubler" });
        await test.assertSpec(otherType, "a", { text: "a", count: 2 });
      },
    );
    const optional = doubler({
      mapId: ({ metadata }) => (metadata.id.startsWith("x") ? undefined : `out-${metadata.id}`),
      transform: ({ spec }) => (spec.count === 0 ? undefined : { text: spec.text, count: spec.count }),
      labels: ({ metadata }) => ({ from: metadata.id }),
    });
    runtimeCriterion(
      subject,
      "maps ids, sets labels, and makes no output where there is to be none",
      { register: [optional] },
      async (test) => {
        await test.create(
          note("x1", { count: 1 }),
          note("a", { count: 1 }),
          note("z", { count: 0 }),
          note("zz", { count: 1 }),
        );
        await test.assertResource(otherType, "out-a", ({ metadata }) =>
          assert.deepEqual(metadata.labels, { from: "a" }),
        );
        await test.assertResource(otherType, "out-zz");
        assert.equal((await test.state.list({ namespace: "conformance", type: otherType.type })).length, 2);
        await test.update(noteType, "a", (spec) => ({ ...spec, count: 0 }));
        await test.assertNoResource(otherType, "out-a");
      },
    );
    const extra = doubler({
      inputs: [weak(noteType, { namespace: "settings" })],
      async transform({ spec }, context) {
        const factor = await context.find(noteType, "factor", "settings");
        if (factor === undefined) throw new SkipReconcile("no factor yet");
        return { text: spec.text, count: spec.count * factor.spec.count };
      },
    });
    runtimeCriterion(subject, "waits for extra inputs and follows them", { register: [extra] }, async (test) => {
      await test.create(note("a", { count: 2 }));
      const { missing } = await test.assertStatus("doubler", (status) => assert.equal(status.missing.length, 1));
      assert.equal(missing[0]?.id, "factor");
      await test.create(note("factor", { count: 10 }, { namespace: "settings" }));
      await test.assertSpec(otherType, "a", { text: "a", count: 20 });
      await test.update(noteType, "factor", (spec) => ({ ...spec, count: 3 }), "settings");
      await test.assertSpec(otherType, "a", { text: "a", count: 6 });
    });
    const partial = doubler({
      transform({ spec }) {
        if (spec.count === 13) throw new Error("unlucky");
        return { text: spec.text, count: spec.count };
      },
    });
    runtimeCriterion(
      subject,
      "handles the others when one fails",
      { register: [partial], backoff: { initialMs: 1 } },
      async (test) => {
        await test.create(note("a", { count: 13 }), note("b", { count: 1 }));
        await test.assertSpec(otherType, "b", { text: "b", count: 1 });
        const { lastError } = await test.assertStatus("doubler", (status) => assert.ok(status.lastError));
        assert.match(String(lastError?.error.message), /error running transform on Notes.*\(conformance\/a\): unlucky/);
      },
    );
    const released: string[] = [];
    const holding = doubler({
      finalizers: true,
      async beforeRelease({ metadata }) {
        released.push(metadata.id);
      },
    });
    runtimeCriterion(
      subject,
      "with finalizers holds inputs until outputs are gone",
      { register: [holding] },
      async (test) => {
        await test.create(note("a", { count: 1 }));
        await test.assertResource(noteType, "a", ({ metadata }) => assert.deepEqual(metadata.finalizers, ["doubler"]));
        await test.assertSpec(otherType, "a", { text: "a", count: 2 });
        await test.state.addFinalizer(pointerTo(otherType, "a"), "reader");
        await test.state.teardown(notePointer("a"));
        await test.assertResource(otherType, "a", ({ metadata }) => assert.equal(metadata.phase, "tearingDown"));
        await test.assertResource(noteType, "a", ({ metadata }) => assert.deepEqual(metadata.finalizers, ["doubler"]));
        await test.state.removeFinalizer(pointerTo(otherType, "a"), "reader");
        await test.assertNoResource(otherType, "a");
        await test.assertResource(noteType, "a", ({ metadata }) => assert.deepEqual(metadata.finalizers, []));
        assert.ok(released.includes("a"));
      },
    );
  });

  group("reduceController()", () => {
    const summary = reduceController({
      name: "summary",
      inputs: [weak(noteType)],
      outputs: [exclusive(otherType)],
      async reduce(context) {
        const notes = await context.list(noteType);
        if (notes.some(({ spec }) => spec.text === "wait")) return undefined;
        const total = notes.reduce((sum, { spec }) => sum + spec.count, 0);
        return total === 0 ? [] : [createResource(otherType, "sum", { text: "sum", count: total })];
      },
    });
    runtimeCriterion(
      subject,
      "makes outputs from all inputs and removes what is not wanted",
      { register: [summary] },
      async (test) => {
        await test.create(note("a", { count: 1 }), note("b", { count: 2 }));
        await test.assertSpec(otherType, "sum", { text: "sum", count: 3 });
        await test.create(note("w", { text: "wait" }));
        await test.remove(note("a"));
        await test.assertStatus("summary", ({ wakeCause, state }) =>
          assert.deepEqual([wakeCause?.id, state], ["a", "waiting"]),
        );
        await test.assertSpec(otherType, "sum", { text: "sum", count: 3 });
        await test.remove(note("w"));
        await test.assertSpec(otherType, "sum", { text: "sum", count: 2 });
        await test.remove(note("b"));
        await test.assertNoResource(otherType, "sum");
      },
    );
  });

  group("reduceController() and mergeController()", () => {
    const copies = reduceController({
      name: "again",
      inputs: [weak(noteType, { namespace: "layers" })],
      outputs: [exclusive(otherType)],
      async reduce(context) {
        const notes = await context.list(noteType, { namespace: "layers" });
        return notes.map(({ metadata, spec }) => createResource(otherType, metadata.id, spec));
      },
    });
    const merged = mergeController({
      name: "again",
      type: otherType,
      from: "layers",
      merge: (layers) => layers.map(({ metadata, spec }) => [metadata.id, spec] as const),
    });
    for (const [shape, controller, source] of [
      ["reduceController", copies, noteType],
      ["mergeController", merged, otherType],
    ] as const) {
      const layer = (id: string, spec: Partial<Note> = {}): Resource<Note> =>
        createResource(source, id, { text: id, count: 0, ...spec }, { namespace: "layers" });
      runtimeCriterion(
        subject,
        `${shape} writes the others while an output it wants again is held, and that one once it is let go`,
        { register: [controller] },
        async (test) => {
          await test.create(layer("a", { count: 1 }), layer("gone"));
          await test.assertSpec(otherType, "a", { text: "a", count: 1 });
          await test.state.addFinalizer(pointerTo(otherType, "a"), "reader");
          await test.remove(layer("a"));
          await test.assertResource(otherType, "a", ({ metadata }) => assert.equal(metadata.phase, "tearingDown"));
          await test.create(layer("a", { count: 2 }), layer("b"));
          await test.remove(layer("gone"));
          await test.assertResource(otherType, "b");
          await test.assertNoResource(otherType, "gone");
          await test.assertSpec(otherType, "a", { text: "a", count: 1 });
          await test.assertStatus("again", ({ state, lastError }) =>
            assert.deepEqual([state, lastError], ["waiting", undefined]),
          );
          await test.state.removeFinalizer(pointerTo(otherType, "a"), "reader");
          await test.assertSpec(otherType, "a", { text: "a", count: 2 });
          await test.assertResource(otherType, "a", ({ metadata }) => assert.equal(metadata.phase, "running"));
        },
      );
      runtimeCriterion(
        subject,
        `${shape} replaces an output that was torn down and that nobody holds`,
        { register: [controller] },
        async (test) => {
          await test.create(layer("a", { count: 1 }));
          await test.assertSpec(otherType, "a", { text: "a", count: 1 });
          await test.state.teardown(pointerTo(otherType, "a"), { owner: "again" });
          await test.assertResource(otherType, "a", ({ metadata }) =>
            assert.deepEqual([metadata.phase, metadata.version], ["running", 1]),
          );
        },
      );
    }
  });

  group("mergeController()", () => {
    const merge = mergeController({
      name: "merge",
      type: noteType,
      from: "layers",
      merge(layers) {
        const best = new Map<string, Note>();
        for (const { spec } of layers) {
          if (spec.count >= (best.get(spec.text)?.count ?? 0)) best.set(spec.text, spec);
        }
        return best;
      },
    });
    runtimeCriterion(subject, "merges layers into one namespace", { register: [merge] }, async (test) => {
      const layers = { namespace: "layers" };
      await test.create(note("1", { text: "h", count: 1 }, layers), note("2", { text: "h", count: 2 }, layers));
      await test.assertSpec(noteType, "h", { text: "h", count: 2 });
      await test.remove(note("2", {}, layers));
      await test.assertSpec(noteType, "h", { text: "h", count: 1 });
      await test.remove(note("1", {}, layers));
      await test.assertNoResource(noteType, "h");
    });
  });

  group("cleanupController()", () => {
    const world = new Map<string, number>();
    const effects = cleanupController({
      name: "effects",
      input: noteType,
      async apply({ metadata, spec }) {
        world.set(metadata.id, spec.count);
      },
      async remove({ metadata }) {
        world.delete(metadata.id);
      },
    });
    runtimeCriterion(
      subject,
      "applies what is in use and undoes it before it goes",
      { register: [effects] },
      async (test) => {
        await test.create(note("a", { count: 7 }));
        await test.assertResource(noteType, "a", ({ metadata }) => assert.deepEqual(metadata.finalizers, ["effects"]));
        await test.assertStatus("effects", ({ state }) => {
          assert.equal(state, "waiting");
          assert.equal(world.get("a"), 7);
        });
        await test.remove(note("a"));
        assert.equal(world.size, 0);
      },
    );
  });
}
