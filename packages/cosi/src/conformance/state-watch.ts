import assert from "node:assert/strict";
import { isUnsupported } from "../errors.ts";
import { isTombstone } from "../state/tombstone.ts";
import {
  brief,
  criterion,
  group,
  liveAndDie,
  note,
  notePointer,
  noteType,
  readBriefs,
  readEvents,
} from "./state-fixtures.ts";
import type { StateSubject } from "./state-fixtures.ts";

/** Watches of one resource. */
export function watchCriteria(subject: StateSubject): void {
  const pointer = notePointer("a");

  group("watch()", () => {
    criterion(subject, "begins with `destroyed` for a resource that is not there", async (state) => {
      await using events = readEvents(await state.watch(pointer));
      const event = await events.next();
      assert.equal(event.type, "destroyed");
      assert.ok(event.resource !== undefined && isTombstone(event.resource));
      assert.deepEqual(
        [event.resource.metadata.namespace, event.resource.metadata.type, event.resource.metadata.id],
        ["conformance", noteType.type, "a"],
      );
    });
    criterion(subject, "begins with `created` for a resource that is there", async (state) => {
      const stored = await state.create(note("a"));
      await using events = readEvents(await state.watch(pointer));
      const event = await events.next();
      assert.deepEqual([event.type, event.resource], ["created", stored]);
    });
    criterion(subject, "shows the whole life of that resource and of no other", async (state) => {
      await using events = readEvents(await state.watch(pointer));
      await state.create(note("b"));
      await state.create(note("a"));
      await state.addFinalizer(notePointer("b"), "x");
      await state.teardown(pointer);
      await state.destroy(pointer);
      await state.create(note("a"));
      assert.deepEqual(await readBriefs(events, 5), [
        "destroyed a@0",
        "created a@1",
        "updated a@1→2",
        "destroyed a@2",
        "created a@1",
      ]);
    });
    criterion(subject, "carries the contents before and after", async (state) => {
      const first = await state.create(note("a"));
      await using events = readEvents(await state.watch(pointer));
      const second = await state.update(first);
      await state.destroy(pointer);
      const [, updated, destroyed] = await events.take(3);
      assert.ok(updated?.type === "updated");
      assert.deepEqual(updated.old, first);
      assert.deepEqual(updated.resource, second);
      assert.deepEqual(destroyed?.resource, second);
    });
    criterion(subject, "misses nothing that happens before the first read", async (state) => {
      await using events = readEvents(await state.watch(pointer));
      await liveAndDie(state, "a");
      const seen = await readBriefs(events, 5);
      assert.deepEqual(seen.slice(1), ["created a@1", "updated a@1→2", "updated a@2→3", "destroyed a@3"]);
    });
    criterion(subject, "replays the last events of that resource", async (state) => {
      await liveAndDie(state, "a");
      await liveAndDie(state, "b");
      await using events = readEvents(await state.watch(pointer, { tailEvents: 2 }));
      assert.deepEqual(await readBriefs(events, 2), ["updated a@2→3", "destroyed a@3"]);
      await state.create(note("a"));
      assert.equal(brief(await events.next()), "created a@1");
    });
    criterion(subject, "replays as much as there is when asked for more", async (state) => {
      await liveAndDie(state, "a");
      await using events = readEvents(await state.watch(pointer, { tailEvents: 1000 }));
      assert.equal((await readBriefs(events, 4))[0], "created a@1");
    });
    criterion(subject, "goes on after each bookmark", async (state) => {
      await using events = readEvents(await state.watch(pointer));
      await liveAndDie(state, "a");
      const seen = await events.take(5);
      await liveAndDie(state, "b");
      await state.create(note("a"));
      for (const [index, { bookmark }] of seen.entries()) {
        if (index === 0) continue;
        assert.ok(bookmark !== undefined);
        await using resumed = readEvents(await state.watch(pointer, { startFromBookmark: bookmark }));
        const expected = [...seen.slice(index + 1).map(brief), "created a@1"];
        assert.deepEqual(await readBriefs(resumed, expected.length), expected);
      }
    });
    criterion(subject, "refuses two starting points", async (state) => {
      await using events = readEvents(await state.watchKind(pointer, { bootstrapBookmark: true }));
      const { bookmark = new Uint8Array() } = await events.next();
      const both = state.watch(pointer, { tailEvents: 1, startFromBookmark: bookmark });
      await assert.rejects(both, (err) => isUnsupported(err));
    });
    criterion(subject, "ends with its signal, when disposed, and when the loop is left", async (state) => {
      const abort = new AbortController();
      await using aborted = readEvents(await state.watch(pointer, { signal: abort.signal }));
      await aborted.next();
      const rest = aborted.rest();
      abort.abort();
      assert.deepEqual(await rest, []);

      const disposed = await state.watch(pointer);
      await disposed[Symbol.asyncDispose]();
      assert.deepEqual(await Array.fromAsync(disposed), []);

      const left = await state.watch(pointer);
      for await (const batch of left) if (batch.length > 0) break;
      assert.deepEqual(await Array.fromAsync(left), []);
    });
    criterion(subject, "rejects when its signal is aborted already", async (state) => {
      await assert.rejects(state.watch(pointer, { signal: AbortSignal.abort(new Error("late")) }), { message: "late" });
    });
  });
}
