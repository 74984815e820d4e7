import assert from "node:assert/strict";
import { isInvalidBookmark, isUnsupported, isWatchOverrun } from "../errors.ts";
import { createResource, kindOf } from "../resource.ts";
import type { Event } from "../state.ts";
import { withMetadata } from "../wrap-core.ts";
import { brief, criterion, group, liveAndDie, note, notePointer, notes, otherType } from "./state-fixtures.ts";
import { readBriefs, readEvents, type StateSubject } from "./state-fixtures.ts";

/** Watches of a kind. */
export function watchKindCriteria(subject: StateSubject): void {
  group("watchKind()", () => {
    criterion(subject, "shows changes from now on, of that kind only", async (state) => {
      await state.create(note("a"));
      await using events = readEvents(await state.watchKind(notes));
      await state.create(note("n", {}, { namespace: "elsewhere" }));
      await state.create(createResource(otherType, "o", { text: "", count: 0 }));
      await state.create(note("b"));
      await state.teardown(notePointer("a"));
      await state.destroy(notePointer("a"));
      assert.deepEqual(await readBriefs(events, 3), ["created b@1", "updated a@1→2", "destroyed a@2"]);
    });
    criterion(subject, "begins with the contents in order when asked", async (state) => {
      for (const id of ["c", "a", "b"]) await state.create(note(id));
      await using events = readEvents(await state.watchKind(notes, { bootstrapContents: true }));
      await state.create(note("d"));
      assert.deepEqual(await readBriefs(events, 5), [
        "created a@1",
        "created b@1",
        "created c@1",
        "bootstrapped",
        "created d@1",
      ]);
    });
    criterion(subject, "says `bootstrapped` for an empty kind, and goes on from there", async (state) => {
      await using events = readEvents(await state.watchKind(notes, { bootstrapContents: true }));
      const event = await events.next();
      assert.equal(event.type, "bootstrapped");
      await state.create(note("a"));
      await using resumed = readEvents(await state.watchKind(notes, { startFromBookmark: bookmarkOf(event) }));
      assert.equal(brief(await resumed.next()), "created a@1");
    });
    criterion(subject, "gives a bookmark of the present when asked", async (state) => {
      await liveAndDie(state, "a");
      await using events = readEvents(await state.watchKind(notes, { bootstrapBookmark: true }));
      const event = await events.next();
      assert.equal(event.type, "noop");
      await state.create(note("b"));
      await using resumed = readEvents(await state.watchKind(notes, { startFromBookmark: bookmarkOf(event) }));
      assert.deepEqual(await readBriefs(events, 1), ["created b@1"]);
      assert.deepEqual(await readBriefs(resumed, 1), ["created b@1"]);
    });
    criterion(subject, "keeps the order of a burst", async (state) => {
      await using events = readEvents(await state.watchKind(notes));
      await state.create(note("a"));
      await Promise.all(Array.from({ length: 50 }, () => state.addFinalizer(notePointer("a"), "x")));
      await Promise.all(Array.from({ length: 50 }, (_, index) => state.create(note(`b${index}`))));
      const versions = (await events.take(2)).map(brief);
      assert.deepEqual(versions, ["created a@1", "updated a@1→2"]);
      const created = await events.take(50);
      assert.equal(new Set(created.map((event) => event.resource?.metadata.id)).size, 50);
    });
    criterion(subject, "shows every reader the same", async (state) => {
      const readers = await Promise.all(
        Array.from({ length: 20 }, async () => readEvents(await state.watchKind(notes))),
      );
      await liveAndDie(state, "a");
      await liveAndDie(state, "b");
      const seen = await Promise.all(readers.map((reader) => readBriefs(reader, 8)));
      for (const each of seen) assert.deepEqual(each, seen[0]);
      for (const reader of readers) await reader[Symbol.asyncDispose]();
    });
    criterion(subject, "shows a resource come and go as it begins and ceases to match", async (state) => {
      const stored = await state.create(note("a"));
      const labels = [{ terms: [{ key: "on", op: "exists" as const, values: [], invert: false }] }];
      await using events = readEvents(await state.watchKind(notes, { query: { labels }, bootstrapContents: true }));
      const on = await state.update(withMetadata(stored, { labels: { on: "1" } }));
      const still = await state.update(withMetadata(on, { labels: { on: "2" } }));
      const off = await state.update(withMetadata(still, { labels: {} }));
      await state.update(withMetadata(off, { annotations: { unseen: "" } }));
      await state.create(note("b", {}, { labels: { on: "" } }));
      await state.destroy(notePointer("b"));
      assert.deepEqual(await readBriefs(events, 6), [
        "bootstrapped",
        "created a@2",
        "updated a@2→3",
        "destroyed a@4",
        "created b@1",
        "destroyed b@1",
      ]);
    });
    criterion(subject, "selects by id", async (state) => {
      for (const id of ["x/1", "x/2", "y/1"]) await state.create(note(id));
      await using events = readEvents(await state.watchKind(notes, { query: { id: /^x\// }, bootstrapContents: true }));
      await state.destroy(notePointer("y/1"));
      await state.destroy(notePointer("x/2"));
      assert.deepEqual(await readBriefs(events, 4), [
        "created x/1@1",
        "created x/2@1",
        "bootstrapped",
        "destroyed x/2@1",
      ]);
    });
    criterion(subject, "refuses contents together with another starting point", async (state) => {
      const both = state.watchKind(notes, { bootstrapContents: true, tailEvents: 1 });
      await assert.rejects(both, (err) => isUnsupported(err));
    });
    criterion(subject, "ends with its signal", async (state) => {
      const abort = new AbortController();
      await using events = readEvents(await state.watchKind(notes, { signal: abort.signal }));
      const rest = events.rest();
      abort.abort();
      assert.deepEqual(await rest, []);
    });
  });

  group("history", () => {
    const small = { historyCapacity: 16, historyGap: 4 };

    criterion(subject, "replays the last events of a kind", async (state) => {
      await liveAndDie(state, "a");
      await using events = readEvents(await state.watchKind(notes, { tailEvents: 3 }));
      assert.deepEqual(await readBriefs(events, 3), ["updated a@1→2", "updated a@2→3", "destroyed a@3"]);
    });
    criterion(
      subject,
      "reaches back its capacity less the gap and no further",
      async (state) => {
        for (let round = 0; round < 20; round += 1) await state.create(note(`n${round}`));
        await using events = readEvents(await state.watchKind(notes, { tailEvents: 1000 }));
        const seen = await readBriefs(events, 12);
        assert.deepEqual([seen[0], seen.at(-1)], ["created n8@1", "created n19@1"]);
      },
      small,
    );
    criterion(
      subject,
      "tells a bookmark that is too old from one that is not",
      async (state) => {
        await using events = readEvents(await state.watchKind(notes, { bootstrapBookmark: true }));
        const bookmarks: Uint8Array[] = [bookmarkOf(await events.next())];
        for (let round = 0; round < 40; round += 1) {
          await state.create(note(`n${round}`));
          bookmarks.push(bookmarkOf(await events.next()));
        }
        // The bookmark at index i stands after event i-1; the oldest event that may be read is 28.
        for (const index of [0, 1, 20, 27]) {
          const start = state.watchKind(notes, { startFromBookmark: bookmarks[index] ?? new Uint8Array() });
          await assert.rejects(start, (err) => isInvalidBookmark(err));
        }
        for (const index of [28, 30, 39]) {
          const startFromBookmark = bookmarks[index] ?? new Uint8Array();
          await using resumed = readEvents(await state.watchKind(notes, { startFromBookmark }));
          assert.equal(brief(await resumed.next()), `created n${index}@1`);
        }
      },
      small,
    );
    criterion(subject, "knows its own bookmarks only", async (state) => {
      await using events = readEvents(await state.watchKind(notes));
      await state.create(note("a"));
      const bookmark = bookmarkOf(await events.next());
      const flipped = Uint8Array.from(bookmark);
      flipped[0] = (flipped[0] ?? 0) ^ 0xff;
      const beyond = Uint8Array.from(bookmark);
      beyond[beyond.length - 1] = 200;
      for (const startFromBookmark of [flipped, beyond, bookmark.subarray(1), new Uint8Array([1])]) {
        await assert.rejects(state.watchKind(notes, { startFromBookmark }), (err) => isInvalidBookmark(err));
        await assert.rejects(state.watch(notePointer("a"), { startFromBookmark }), (err) => isInvalidBookmark(err));
      }
      const foreign = state.watchKind(kindOf(otherType), { startFromBookmark: bookmark });
      await assert.rejects(foreign, (err) => isInvalidBookmark(err));
    });

    if (!subject.boundsWatches) return;

    criterion(
      subject,
      "ends a reader that falls behind its capacity, and only that one",
      async (state) => {
        await using slow = readEvents(await state.watchKind(notes, { capacity: 8 }));
        await using slowOne = readEvents(await state.watch(notePointer("a"), { capacity: 8, tailEvents: 1 }));
        await using quick = readEvents(await state.watchKind(notes, { capacity: 100 }));
        for (let round = 0; round < 60; round += 1) await state.create(note(`n${round}`));
        await assert.rejects(slow.next(), (err) => isWatchOverrun(err, notes));
        await assert.rejects(slowOne.next(), /buffer overrun: namespace "conformance" type "Notes/);
        assert.equal((await readBriefs(quick, 60)).at(-1), "created n59@1");
      },
      small,
    );
    criterion(
      subject,
      "keeps for a reader what is past history but within its capacity",
      async (state) => {
        await using reader = readEvents(await state.watchKind(notes, { capacity: 500 }));
        for (let round = 0; round < 400; round += 1) await state.create(note(`n${round}`));
        const seen = await readBriefs(reader, 400);
        assert.deepEqual(
          seen,
          Array.from({ length: 400 }, (_, index) => `created n${index}@1`),
        );
      },
      small,
    );
  });
}

function bookmarkOf({ bookmark }: Event): Uint8Array {
  assert.ok(bookmark !== undefined, "The event carries no bookmark");
  return bookmark;
}
