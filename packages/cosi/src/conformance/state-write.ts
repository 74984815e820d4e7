import assert from "node:assert/strict";
import { createManualClock } from "@talos-ts/base";
import { isAlreadyExists, isConflict, isNotFound, isOwnerConflict } from "../errors.ts";
import { isPendingFinalizers, isPhaseConflict, isVersionConflict } from "../errors.ts";
import { createResource } from "../resource.ts";
import { withMetadata, withSpec } from "../wrap-core.ts";
import {
  criterion,
  group,
  note,
  notePointer,
  noteType,
  otherType,
  type Note,
  type StateSubject,
} from "./state-fixtures.ts";

/** create, get, update and destroy, and who wins. */
export function writeCriteria(subject: StateSubject): void {
  group("get()", () => {
    criterion(subject, "rejects with not found, and says of what", async (state) => {
      await assert.rejects(state.get(notePointer("a")), (err) => {
        assert.equal(isNotFound(err, { type: noteType.type, namespace: "conformance" }), true);
        assert.equal(isNotFound(err, { type: otherType.type }), false);
        assert.equal(isConflict(err), false);
        assert.match(String(err), /Notes\.conformance\.cosi\.dev\(conformance\/a@undefined\) doesn't exist/);
        return isNotFound(err);
      });
    });
    criterion(subject, "gives back every kind of value", async (state) => {
      const spec: Note = {
        text: 'ä "quoted": yes\n',
        count: -3,
        bytes: new Uint8Array([0, 255]),
        list: ["", "null", "0x1"],
      };
      const stored = await state.create(
        note("spec/ü 1", spec, { labels: { a: "", "b/c": "é" }, annotations: { x: "y\nz" }, finalizers: ["f"] }),
      );
      const read = await state.get(notePointer("spec/ü 1"));
      assert.deepEqual(read, stored);
      assert.deepEqual(read.spec, spec);
      assert.deepEqual(read.metadata.labels, { a: "", "b/c": "é" });
      assert.deepEqual(read.metadata.annotations, { x: "y\nz" });
      assert.deepEqual(read.metadata.finalizers, ["f"]);
    });
  });

  group("create()", () => {
    const clock = createManualClock(5_000);
    criterion(
      subject,
      "stores version 1 with the time of the state",
      async (state) => {
        const { metadata } = await state.create(note("a"));
        assert.deepEqual(
          { ...metadata },
          {
            namespace: "conformance",
            type: noteType.type,
            id: "a",
            version: 1,
            owner: "",
            phase: "running",
            created: 5_000,
            updated: 5_000,
            finalizers: [],
            labels: {},
            annotations: {},
          },
        );
      },
      { clock },
    );
    criterion(subject, "rejects a second resource of the same id", async (state) => {
      await state.create(note("a"));
      await assert.rejects(state.create(note("a")), (err) => isAlreadyExists(err) && isConflict(err));
    });
    criterion(subject, "keeps namespaces and types apart", async (state) => {
      await state.create(note("a"));
      await state.create(note("a", { count: 2 }, { namespace: "elsewhere" }));
      await state.create(createResource(otherType, "a", { text: "other", count: 3 }));
      assert.deepEqual(((await state.get(notePointer("a"))).spec as Note).count, 0);
      const elsewhere = await state.get({ ...notePointer("a"), namespace: "elsewhere" });
      assert.deepEqual((elsewhere.spec as Note).count, 2);
    });
    criterion(subject, "makes the caller the owner", async (state) => {
      await state.create(note("a"), { owner: "one" });
      assert.equal((await state.get(notePointer("a"))).metadata.owner, "one");
      await state.create(note("b", {}, { owner: "one" }), { owner: "one" });
      await assert.rejects(state.create(note("c", {}, { owner: "two" }), { owner: "one" }), (err) =>
        isOwnerConflict(err),
      );
    });
    criterion(subject, "lets one of many at once win", async (state) => {
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, (_, count) => state.create(note("a", { count }))),
      );
      assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
      assert.ok(results.every((result) => result.status === "fulfilled" || isAlreadyExists(result.reason)));
    });
    criterion(subject, "stores a destroyed id anew from version 1", async (state) => {
      await state.update(await state.create(note("a")));
      await state.destroy(notePointer("a"));
      assert.equal((await state.create(note("a"))).metadata.version, 1);
    });
  });

  group("update()", () => {
    const clock = createManualClock(1_000);
    criterion(
      subject,
      "raises the version and moves the time of update only",
      async (state) => {
        const first = await state.create(note("a"));
        await clock.advance(500);
        const second = await state.update(withSpec(first, { text: "new", count: 1 }));
        assert.equal(second.metadata.version, 2);
        assert.equal(second.metadata.created, first.metadata.created);
        assert.equal(second.metadata.updated, first.metadata.updated + 500);
        assert.deepEqual(await state.get(notePointer("a")), second);
      },
      { clock },
    );
    criterion(subject, "counts even when nothing differs", async (state) => {
      assert.equal((await state.update(await state.create(note("a")))).metadata.version, 2);
    });
    criterion(subject, "stores metadata as given", async (state) => {
      const first = await state.create(note("a", {}, { labels: { a: "1", b: "2" }, finalizers: ["x"] }));
      const second = await state.update(
        withMetadata(first, { labels: { b: "3" }, annotations: { c: "4" }, finalizers: ["y", "z"] }),
      );
      assert.deepEqual(second.metadata.labels, { b: "3" });
      assert.deepEqual(second.metadata.annotations, { c: "4" });
      assert.deepEqual(second.metadata.finalizers, ["y", "z"]);
    });
    criterion(subject, "rejects what does not exist", async (state) => {
      await assert.rejects(state.update(note("a")), (err) => isNotFound(err));
    });
    criterion(subject, "rejects any version but the stored one", async (state) => {
      const first = await state.create(note("a"));
      await state.update(first);
      for (const version of [0, 1, 3]) {
        await assert.rejects(state.update(withMetadata(first, { version })), (err) => {
          assert.ok(isConflict(err, { type: noteType.type }));
          assert.match(String(err), /update conflict: expected version "(undefined|1|3)", actual version "2"/);
          return isVersionConflict(err);
        });
      }
    });
    criterion(subject, "rejects everybody but the owner, and keeps the owner", async (state) => {
      const first = await state.create(note("a"), { owner: "one" });
      await assert.rejects(state.update(first), (err) => isOwnerConflict(err) && isConflict(err));
      await assert.rejects(state.update(first, { owner: "two" }), /is owned by "one"/);
      const second = await state.update(withMetadata(first, { owner: "" }), { owner: "one" });
      assert.equal(second.metadata.owner, "one");
    });
    criterion(subject, "rejects a resource that is torn down unless told to expect it", async (state) => {
      await state.create(note("a"));
      await state.teardown(notePointer("a"));
      const torn = await state.get(notePointer("a"));
      await assert.rejects(state.update(torn), (err) => isPhaseConflict(err) && isConflict(err));
      await assert.rejects(state.update(torn), /is not in phase running/);
      const again = await state.update(torn, { expectedPhase: "tearingDown" });
      await state.update(again, { expectedPhase: "any" });
    });
    criterion(subject, "lets one of many at once win", async (state) => {
      const first = await state.create(note("a"));
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, (_, count) => state.update(withSpec(first, { text: "a", count }))),
      );
      assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
      assert.ok(results.every((result) => result.status === "fulfilled" || isVersionConflict(result.reason)));
      assert.equal((await state.get(notePointer("a"))).metadata.version, 2);
    });
    criterion(subject, "leaves what was read before as it was", async (state) => {
      const first = await state.create(note("a"));
      const before = await state.get(notePointer("a"));
      await state.update(withSpec(first, { text: "new", count: 9 }));
      assert.deepEqual(before, first);
    });
  });

  group("destroy()", () => {
    criterion(subject, "removes the resource", async (state) => {
      await state.create(note("a"));
      await state.destroy(notePointer("a"));
      await assert.rejects(state.get(notePointer("a")), (err) => isNotFound(err));
      await assert.rejects(state.destroy(notePointer("a")), (err) => isNotFound(err));
    });
    criterion(subject, "rejects everybody but the owner", async (state) => {
      await state.create(note("a"), { owner: "one" });
      await assert.rejects(state.destroy(notePointer("a")), (err) => isOwnerConflict(err));
      await assert.rejects(state.destroy(notePointer("a"), { owner: "two" }), (err) => isOwnerConflict(err));
      await state.destroy(notePointer("a"), { owner: "one" });
    });
    criterion(subject, "rejects while there are finalizers", async (state) => {
      await state.create(note("a", {}, { finalizers: ["x", "y"] }));
      await assert.rejects(state.destroy(notePointer("a")), (err) => isPendingFinalizers(err) && isConflict(err));
      await assert.rejects(state.destroy(notePointer("a")), /has pending finalizers \[x y\]/);
    });
    criterion(subject, "lets one of many at once win", async (state) => {
      await state.create(note("a"));
      const results = await Promise.allSettled(Array.from({ length: 10 }, () => state.destroy(notePointer("a"))));
      assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
      assert.ok(results.every((result) => result.status === "fulfilled" || isNotFound(result.reason)));
    });
  });
}
