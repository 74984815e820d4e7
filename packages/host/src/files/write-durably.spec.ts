import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { writeDurably } from "./write-durably.ts";

const folder = await mkdtemp(join(tmpdir(), "write-durably-"));
after(() => rm(folder, { recursive: true }));

describe("writeDurably()", () => {
  it("replaces a file and what an interrupted attempt left, with exactly the given rights", async () => {
    const path = join(folder, "file");
    await writeFile(path, "old");
    await writeFile(`${path}.${String(process.pid)}.tmp`, "half", { mode: 0o777 });
    await writeDurably(path, "new", 0o600);
    assert.equal(await readFile(path, "utf8"), "new");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder), ["file"]);
  });
  it("fails where there is no folder", async () => {
    await assert.rejects(writeDurably(join(folder, "no/such"), "new", 0o600), { code: "ENOENT" });
  });
  it("leaves nothing when it cannot put the file in its place", async () => {
    const inner = join(folder, "inner");
    await mkdir(join(inner, "taken"), { recursive: true });
    await assert.rejects(writeDurably(join(inner, "taken"), "new", 0o600), { code: "EISDIR" });
    assert.deepEqual(await readdir(inner), ["taken"]);
  });
});
