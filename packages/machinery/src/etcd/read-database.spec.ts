import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { isCode } from "@talos-ts/base";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { readMemberDatabase } from "./read-database.ts";

const snapshot = new URL("testdata/snapshot-v3.6.db.gz", import.meta.url);

describe("readMemberDatabase()", () => {
  it("reads members and the applied log entry, not the keys", async () => {
    await using folder = await temporaryDirectory();
    const path = join(folder.path, "db");
    await writeFile(path, gunzipSync(await readFile(snapshot)));
    const { appliedIndex, term, members } = await readMemberDatabase(path);
    assert.ok(appliedIndex > 150n && term >= 2n, `${String(appliedIndex)} ${String(term)}`);
    assert.equal(members.length, 1);
    assert.equal(members[0]?.isLearner, false);
    assert.ok((members[0]?.id ?? 0n) > 0n && members[0]?.name !== "");
  });
  it("refuses what is no database", async () => {
    await using folder = await temporaryDirectory();
    const path = join(folder.path, "db");
    await writeFile(path, Buffer.alloc(65_536, 7));
    await assert.rejects(readMemberDatabase(path), (err) => isCode(err, "etcd/bad-snapshot"));
  });
});
