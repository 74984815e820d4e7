import assert from "node:assert/strict";
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { ids, note, notePointer, notes, noteType, otherType, readEvents } from "./conformance/state-fixtures.ts";
import { stateConformance } from "./conformance/state.ts";
import { isNotFound } from "./errors.ts";
import { createPersistedState, type PersistedState } from "./persisted.ts";
import { createResourceRegistry } from "./registry.ts";
import { withSpec, wrapCore } from "./wrap-core.ts";

const registry = createResourceRegistry([noteType, otherType]);

stateConformance({
  name: "persisted",
  boundsWatches: true,
  async open(options) {
    const directory = await mkdtemp(join(tmpdir(), "cosi-"));
    const state = await createPersistedState({ ...options, registry, file: join(directory, "log"), compactBytes: 500 });
    return {
      state: wrapCore(state),
      async [Symbol.asyncDispose]() {
        await state[Symbol.asyncDispose]();
        await rm(directory, { recursive: true });
      },
    };
  },
});

describe("createPersistedState()", () => {
  let directory = "";
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "cosi-"));
  });
  after(() => rm(directory, { recursive: true }));

  const open = (name: string, compactBytes?: number): Promise<PersistedState> =>
    createPersistedState({
      registry,
      file: join(directory, name),
      ...(compactBytes !== undefined && { compactBytes }),
    });

  /** Lists what a state holds, in a form to compare. */
  async function contents(state: PersistedState): Promise<readonly string[]> {
    return (await state.list(notes)).map(({ metadata, spec }) => JSON.stringify([metadata, spec]));
  }

  it("has everything after it was closed and opened again", async () => {
    const first = await open("reopen/deep/log");
    const a = await first.create(note("a", { bytes: new Uint8Array([1, 2]) }, { labels: { x: "y" } }), {
      owner: "one",
    });
    await first.update(withSpec(a, { text: "changed", count: 2 }), { owner: "one" });
    await first.create(note("b"));
    await first.destroy(notePointer("b"));
    const before = await contents(first);
    await first[Symbol.asyncDispose]();

    await using second = await open("reopen/deep/log");
    assert.deepEqual(await contents(second), before);
    assert.equal((await second.get(notePointer("a"))).metadata.version, 2);
    await assert.rejects(second.get(notePointer("b")), (err) => isNotFound(err));
  });

  it("keeps specs of types it does not know", async () => {
    const unknown = { ...note("raw"), spec: { proto: new Uint8Array([8, 1]), yaml: "a: b\n" } };
    const file = join(directory, "raw");
    const first = await createPersistedState({ file, registry: createResourceRegistry() });
    await first.create(unknown);
    await first[Symbol.asyncDispose]();
    await using second = await createPersistedState({ file, registry: createResourceRegistry() });
    const { spec } = await second.get(notePointer("raw"));
    assert.deepEqual(spec, unknown.spec);
  });

  it("shows a change only when it is written", async () => {
    await using state = await open("visible");
    const write = state.create(note("a"));
    assert.deepEqual(await state.list(notes), []);
    await using events = readEvents(await state.watchKind(notes));
    await write;
    assert.equal((await events.next()).type, "created");
    assert.deepEqual(ids(await state.list(notes)), ["a"]);
  });

  it("stays small however often a resource changes", async () => {
    const state = await open("compact", 4096);
    let current = await state.create(note("a", { text: "x".repeat(500) }));
    for (let round = 0; round < 100; round += 1) current = await state.update(current);
    await state[Symbol.asyncDispose]();
    assert.ok((await stat(join(directory, "compact"))).size < 8192);
    await using again = await open("compact", 4096);
    assert.deepEqual(await again.get(notePointer("a")), current);
  });

  it("has either the old or the new contents after a cut at any byte", async () => {
    const state = await open("torn");
    const sizes: number[] = [];
    const states: (readonly string[])[] = [];
    const remember = async (): Promise<void> => {
      sizes.push((await stat(join(directory, "torn"))).size);
      states.push(await contents(state));
    };
    await remember();
    const a = await state.create(note("a"));
    await remember();
    await Promise.all([state.update(withSpec(a, { text: "new", count: 1 })), state.create(note("b"))]);
    await remember();
    await state.destroy(notePointer("a"));
    await remember();
    await state[Symbol.asyncDispose]();
    const whole = await readFile(join(directory, "torn"));

    for (let length = sizes[0] ?? 0; length <= whole.length; length += 1) {
      const expected = states[sizes.findLastIndex((size) => size <= length)];
      // The file may also have its new length while the blocks behind it were never written.
      for (const tail of [Buffer.alloc(0), Buffer.alloc(whole.length - length)]) {
        await writeFile(join(directory, "cut"), Buffer.concat([whole.subarray(0, length), tail]));
        const recovered = await open("cut");
        const found = await contents(recovered);
        await recovered[Symbol.asyncDispose]();
        if (tail.length === 0 || length === whole.length) assert.deepEqual(found, expected, `cut at ${length}`);
        else
          assert.ok(
            states.some((each) => isDeepEqual(each, found)),
            `cut at ${length}, zeros behind`,
          );
      }
    }
  });

  it("goes on writing after a cut", async () => {
    const state = await open("resume");
    await state.create(note("a"));
    await state.create(note("b"));
    await state[Symbol.asyncDispose]();
    const whole = await readFile(join(directory, "resume"));
    await writeFile(join(directory, "resume"), whole.subarray(0, -3));
    const cut = await open("resume");
    assert.deepEqual(ids(await cut.list(notes)), ["a"]);
    await cut.create(note("c"));
    await cut[Symbol.asyncDispose]();
    await using again = await open("resume");
    assert.deepEqual(ids(await again.list(notes)), ["a", "c"]);
  });

  it("never takes a damaged file for a whole one", async () => {
    const state = await open("damaged");
    for (const id of ["a", "b", "c"]) await state.create(note(id));
    await state[Symbol.asyncDispose]();
    const path = join(directory, "damaged");
    const whole = await readFile(path);
    await copyFile(path, join(directory, "whole"));
    const allowed = [
      ["a", "b", "c"],
      ["a", "b"],
    ];
    for (let offset = 0; offset < whole.length; offset += 1) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(offset) ^ 0x55, offset);
      await writeFile(path, bytes);
      let found: readonly string[];
      try {
        await using damaged = await open("damaged");
        found = ids(await damaged.list(notes));
      } catch (err) {
        assert.match((err as { code: string }).code, /^cosi\/log-(corrupt|format)$/, `byte ${offset}: ${String(err)}`);
        continue;
      }
      // Damage to the last write looks like a cut; nothing else may pass.
      assert.ok(
        allowed.some((each) => isDeepEqual(each, found)),
        `byte ${offset}: ${found.join()}`,
      );
    }
  });

  it("ignores a rewrite that was cut off", async () => {
    const state = await open("draft");
    await state.create(note("a"));
    await state[Symbol.asyncDispose]();
    await writeFile(join(directory, "draft.new"), "half");
    await using again = await open("draft");
    assert.deepEqual(ids(await again.list(notes)), ["a"]);
    await assert.rejects(stat(join(directory, "draft.new")), { code: "ENOENT" });
  });

  it("rejects a spec it cannot write, and nothing else with it", async () => {
    await using state = await open("unwritable");
    const strange = { metadata: { ...note("x").metadata, type: "Strangers.example.org" }, spec: { not: "raw" } };
    const [good, bad] = await Promise.allSettled([state.create(note("a")), state.create(strange)]);
    assert.deepEqual([good.status, bad.status], ["fulfilled", "rejected"]);
    await assert.rejects(state.get(strange.metadata), (err) => isNotFound(err));
  });

  it("refuses writes after it was closed", async () => {
    const state = await open("closed");
    await state[Symbol.asyncDispose]();
    await assert.rejects(state.create(note("a")), { code: "cosi/state-closed" });
  });
});

function isDeepEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
