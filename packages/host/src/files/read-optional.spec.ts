import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readOptional } from "./read-optional.ts";

test("readOptional gives nothing where there is no file, and fails where there is something else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "read-optional-"));
  await writeFile(join(folder, "file"), "text");
  assert.equal(String(await readOptional(join(folder, "file"))), "text");
  assert.equal(await readOptional(join(folder, "none")), undefined);
  await assert.rejects(readOptional(folder), { code: "EISDIR" });
  await rm(folder, { recursive: true });
});
