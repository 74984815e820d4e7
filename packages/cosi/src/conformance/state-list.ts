import assert from "node:assert/strict";
import type { LabelTerm } from "../query.ts";
import type { Labels } from "../resource.ts";
import { withMetadata } from "../wrap-core.ts";
import { criterion, group, ids, note, notePointer, notes, type StateSubject } from "./state-fixtures.ts";

const labelled: Readonly<Record<string, Labels>> = {
  app1: { app: "app1", frozen: "", weight: "10kg", size: "1Gi" },
  app2: { app: "app2", frozen: "", weight: "20kg", size: "2 MiB" },
  app3: { app: "app3", weight: "heavy" },
  bare: {},
};

type Row = readonly [term: Omit<LabelTerm, "invert">, matches: readonly string[], inverted: readonly string[]];

/** Every operator, straight and inverted. A comparison that cannot be made is false either way. */
const table: readonly Row[] = [
  [{ key: "frozen", op: "exists", values: [] }, ["app1", "app2"], ["app3", "bare"]],
  [{ key: "app", op: "equal", values: ["app2"] }, ["app2"], ["app1", "app3", "bare"]],
  [{ key: "frozen", op: "equal", values: [""] }, ["app1", "app2"], ["app3", "bare"]],
  [{ key: "app", op: "in", values: ["app2", "app3"] }, ["app2", "app3"], ["app1", "bare"]],
  [{ key: "app", op: "lt", values: ["app2"] }, ["app1"], ["app2", "app3"]],
  [{ key: "app", op: "lte", values: ["app2"] }, ["app1", "app2"], ["app3"]],
  [{ key: "weight", op: "lt-numeric", values: ["12000"] }, ["app1"], ["app2"]],
  [{ key: "weight", op: "lte-numeric", values: ["20 k"] }, ["app1", "app2"], []],
  [{ key: "size", op: "lt-numeric", values: ["1G"] }, ["app2"], ["app1"]],
  [{ key: "weight", op: "lt-numeric", values: ["many"] }, [], []],
  [{ key: "missing", op: "lte", values: ["x"] }, [], []],
];

/** list() and the queries it shares with watches. */
export function listCriteria(subject: StateSubject): void {
  group("list()", () => {
    criterion(subject, "is empty for a kind nobody wrote", async (state) => {
      assert.deepEqual(await state.list(notes), []);
    });
    criterion(subject, "is in order of id, through deletions and new ids", async (state) => {
      for (const id of ["m", "c", "x", "a"]) await state.create(note(id));
      assert.deepEqual(ids(await state.list(notes)), ["a", "c", "m", "x"]);
      await state.destroy(notePointer("c"));
      await state.create(note("b"));
      await state.create(note("z"));
      await state.create(note("c"));
      await state.destroy(notePointer("a"));
      assert.deepEqual(ids(await state.list(notes)), ["b", "c", "m", "x", "z"]);
    });
    criterion(subject, "shows updates, and leaves earlier lists alone", async (state) => {
      const first = await state.create(note("a"));
      const before = await state.list(notes);
      await state.update(withMetadata(first, { labels: { new: "yes" } }));
      assert.deepEqual((await state.list(notes))[0]?.metadata.labels, { new: "yes" });
      assert.deepEqual(before[0]?.metadata.labels, {});
    });
    criterion(subject, "shows one namespace", async (state) => {
      await state.create(note("a", {}, { namespace: "elsewhere" }));
      await state.create(note("b"));
      assert.deepEqual(ids(await state.list(notes)), ["b"]);
    });
    criterion(subject, "selects by expressions on ids, each time alike", async (state) => {
      for (const id of ["path/1", "path/2", "path/3", "other/2"]) await state.create(note(id));
      const query = { id: /^path\/.*[23]$/g };
      assert.deepEqual(ids(await state.list(notes, query)), ["path/2", "path/3"]);
      assert.deepEqual(ids(await state.list(notes, query)), ["path/2", "path/3"]);
      assert.deepEqual(ids(await state.list(notes, { id: /2/ })), ["other/2", "path/2"]);
    });
    for (const [term, straight, inverted] of table) {
      criterion(subject, `selects by label: ${term.key} ${term.op} ${term.values.join(",")}`, async (state) => {
        for (const [id, labels] of Object.entries(labelled)) await state.create(note(id, {}, { labels }));
        const select = async (invert: boolean): Promise<readonly string[]> =>
          ids(await state.list(notes, { labels: [{ terms: [{ ...term, invert }] }] }));
        assert.deepEqual(await select(false), straight);
        assert.deepEqual(await select(true), inverted);
      });
    }
    criterion(subject, "wants all terms of a query and one of several queries", async (state) => {
      for (const [id, labels] of Object.entries(labelled)) await state.create(note(id, {}, { labels }));
      const frozen: LabelTerm = { key: "frozen", op: "exists", values: [], invert: false };
      const app = (value: string): LabelTerm => ({ key: "app", op: "equal", values: [value], invert: false });
      const select = async (...queries: readonly (readonly LabelTerm[])[]): Promise<readonly string[]> =>
        ids(await state.list(notes, { labels: queries.map((terms) => ({ terms })) }));
      assert.deepEqual(await select([frozen, app("app2")]), ["app2"]);
      assert.deepEqual(await select([frozen, app("app3")]), []);
      assert.deepEqual(await select([app("app2")], [app("app3")]), ["app2", "app3"]);
      assert.deepEqual(await select([]), ["app1", "app2", "app3", "bare"]);
      const both = await state.list(notes, { id: /1$/, labels: [{ terms: [frozen] }] });
      assert.deepEqual(ids(both), ["app1"]);
    });
  });
}
