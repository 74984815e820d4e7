import assert from "node:assert/strict";
import { test } from "node:test";
import { createInMemoryState } from "../in-memory.ts";
import { assertResource } from "./assert-resource.ts";
import { note, noteType } from "./state-fixtures.ts";

test("assertResource names the ids that exist when the one it waits for does not", async () => {
  const state = createInMemoryState();
  await state.create(note("hostname"));
  await assert.rejects(
    assertResource(state, noteType, "greeting", undefined, { limitMs: 10 }),
    /greeting\) never satisfied the check; last failure: it does not exist; resources of this type have the ids "hostname"$/,
  );
});
