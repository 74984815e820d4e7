import assert from "node:assert/strict";
import { isNotFound, isOwnerConflict, isPhaseConflict } from "../errors.ts";
import { updateTyped } from "../typed.ts";
import { withMetadata, withSpec } from "../wrap-core.ts";
import {
  criterion,
  group,
  note,
  notePointer,
  notes,
  noteType,
  readEvents,
  type StateSubject,
} from "./state-fixtures.ts";

/** Operations that `wrapCore()` builds, or a core offers natively. */
export function derivedCriteria(subject: StateSubject): void {
  const pointer = notePointer("a");

  group("updateWithConflicts()", () => {
    criterion(subject, "loses no update of many at once", async (state) => {
      await state.create(note("a"));
      const add = (): Promise<unknown> =>
        updateTyped(state, noteType, "a", (spec) => ({ ...spec, count: spec.count + 1 }));
      await Promise.all(Array.from({ length: 12 }, add));
      const { spec, metadata } = await state.get(pointer);
      assert.deepEqual(spec, { text: "a", count: 12 });
      assert.equal(metadata.version, 13);
    });
    criterion(subject, "leaves an equal resource alone", async (state) => {
      await state.create(note("a", {}, { labels: { x: "y" } }));
      const same = await state.updateWithConflicts(pointer, (current) =>
        withMetadata(withSpec(current, { text: "a", count: 0 }), { labels: { x: "y" } }),
      );
      assert.equal(same.metadata.version, 1);
    });
    criterion(subject, "rejects the wrong phase even without a change", async (state) => {
      await state.create(note("a"));
      await state.teardown(pointer);
      await assert.rejects(
        state.updateWithConflicts(pointer, (current) => current),
        (err) => isPhaseConflict(err),
      );
      await state.updateWithConflicts(pointer, (current) => current, { expectedPhase: "any" });
    });
    criterion(subject, "gives up on the wrong owner and on a missing resource", async (state) => {
      await assert.rejects(
        state.updateWithConflicts(pointer, (current) => current),
        (err) => isNotFound(err),
      );
      await state.create(note("a"), { owner: "one" });
      const change = state.updateWithConflicts(pointer, (current) => withMetadata(current, { labels: { a: "b" } }));
      await assert.rejects(change, (err) => isOwnerConflict(err));
    });
    criterion(subject, "passes on what the change throws", async (state) => {
      await state.create(note("a"));
      const broken = state.updateWithConflicts(pointer, () => {
        throw new Error("modify error");
      });
      await assert.rejects(broken, { message: "modify error" });
    });
  });

  group("addFinalizer() and removeFinalizer()", () => {
    criterion(subject, "lose none of many at once", async (state) => {
      await state.create(note("a"));
      await Promise.all(
        ["A", "B", "C", "D", "E", "F", "G", "H"].map((finalizer) => state.addFinalizer(pointer, finalizer)),
      );
      await Promise.all(["A", "B", "C"].map((finalizer) => state.removeFinalizer(pointer, finalizer)));
      assert.deepEqual([...(await state.get(pointer)).metadata.finalizers].sort(), ["D", "E", "F", "G", "H"]);
    });
    criterion(subject, "work on owned and on torn down resources, and twice", async (state) => {
      await state.create(note("a"), { owner: "one" });
      await state.addFinalizer(pointer, "x", "y");
      await state.addFinalizer(pointer, "x");
      await state.teardown(pointer, { owner: "one" });
      await state.addFinalizer(pointer, "z");
      await state.removeFinalizer(pointer, "x", "nobody");
      assert.deepEqual((await state.get(pointer)).metadata.finalizers, ["y", "z"]);
      await assert.rejects(state.addFinalizer(notePointer("b"), "x"), (err) => isNotFound(err));
    });
  });

  group("teardown()", () => {
    criterion(subject, "changes the phase once and tells whether nobody holds on", async (state) => {
      await state.create(note("a", {}, { finalizers: ["x"] }));
      assert.equal(await state.teardown(pointer), false);
      assert.equal(await state.teardown(pointer), false);
      const { metadata } = await state.get(pointer);
      assert.deepEqual([metadata.phase, metadata.version], ["tearingDown", 2]);
      await state.removeFinalizer(pointer, "x");
      assert.equal(await state.teardown(pointer), true);
    });
    criterion(subject, "rejects a missing resource and everybody but the owner", async (state) => {
      await assert.rejects(state.teardown(pointer), (err) => isNotFound(err));
      await state.create(note("a"), { owner: "one" });
      await assert.rejects(state.teardown(pointer), (err) => isOwnerConflict(err));
      assert.equal(await state.teardown(pointer, { owner: "one" }), true);
    });
  });

  group("teardownAndDestroy()", () => {
    criterion(subject, "destroys at once what nobody holds", async (state) => {
      await state.create(note("a"), { owner: "one" });
      await assert.rejects(state.teardownAndDestroy(pointer), (err) => isOwnerConflict(err));
      await state.teardownAndDestroy(pointer, { owner: "one" });
      await assert.rejects(state.get(pointer), (err) => isNotFound(err));
      await assert.rejects(state.teardownAndDestroy(pointer), (err) => isNotFound(err));
    });
    criterion(subject, "waits until the last finalizer is gone", async (state) => {
      await state.create(note("a", {}, { finalizers: ["x", "y"] }));
      await using events = readEvents(await state.watchKind(notes));
      const gone = state.teardownAndDestroy(pointer);
      const event = await events.next();
      assert.equal(event.resource?.metadata.phase, "tearingDown");
      await state.removeFinalizer(pointer, "x");
      await state.removeFinalizer(pointer, "y");
      await gone;
      await assert.rejects(state.get(pointer), (err) => isNotFound(err));
    });
    criterion(subject, "is content when somebody else destroys it", async (state) => {
      await state.create(note("a", {}, { finalizers: ["x"] }));
      const gone = state.teardownAndDestroy(pointer).catch((err: unknown) => assert.ok(isNotFound(err)));
      await state.watchFor(pointer, { phases: ["tearingDown"] });
      await state.removeFinalizer(pointer, "x");
      await state.destroy(pointer).catch((err: unknown) => assert.ok(isNotFound(err)));
      await gone;
    });
    criterion(subject, "stops waiting when aborted", async (state) => {
      await state.create(note("a", {}, { finalizers: ["x"] }));
      const abort = new AbortController();
      const gone = state.teardownAndDestroy(pointer, { signal: abort.signal });
      await state.watchFor(pointer, { phases: ["tearingDown"] });
      abort.abort();
      await assert.rejects(gone);
      assert.equal((await state.get(pointer)).metadata.phase, "tearingDown");
    });
  });

  group("watchFor()", () => {
    criterion(subject, "waits for events, phases, finalizers and tests", async (state) => {
      const created = state.watchFor(pointer, {});
      await state.create(note("a", {}, { finalizers: ["x"] }));
      assert.equal((await created).metadata.version, 1);

      const counted = state.watchFor(pointer, { test: ({ spec }) => (spec as { count: number }).count === 1 });
      await updateTyped(state, noteType, "a", (spec) => ({ ...spec, count: 1 }));
      assert.equal((await counted).metadata.version, 2);

      const torn = state.watchFor(pointer, { phases: ["tearingDown"], finalizersEmpty: true });
      await state.teardown(pointer);
      await state.removeFinalizer(pointer, "x");
      assert.equal((await torn).metadata.version, 4);

      const destroyed = state.watchFor(pointer, { events: ["destroyed"] });
      await state.destroy(pointer);
      assert.equal((await destroyed).metadata.id, "a");
    });
    criterion(subject, "rejects with the reason of its signal", async (state) => {
      const abort = new AbortController();
      const never = state.watchFor(pointer, {}, abort.signal);
      abort.abort(new Error("enough"));
      await assert.rejects(never, { message: "enough" });
    });
  });
}
