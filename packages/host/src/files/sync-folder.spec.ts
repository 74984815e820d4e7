import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "../testing/index.ts";
import { syncFolder } from "./sync-folder.ts";

test("syncFolder() takes a folder that is there", async () => {
  await using folder = await temporaryDirectory();
  await syncFolder(folder.path);
  await assert.rejects(syncFolder(join(folder.path, "none")), { code: "ENOENT" });
});
