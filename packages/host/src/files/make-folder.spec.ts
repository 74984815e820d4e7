import assert from "node:assert/strict";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { makeFolder } from "./make-folder.ts";

describe("makeFolder()", () => {
  let root = "";
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "base-"));
  });
  after(() => rm(root, { recursive: true }));

  it("makes the folders above it, with the mode", async () => {
    await makeFolder(join(root, "a/b/c"), 0o700);
    for (const path of ["a", "a/b", "a/b/c"]) assert.equal((await stat(join(root, path))).mode & 0o777, 0o700);
  });
  it("leaves what is there, also when several make it at once", async () => {
    const path = join(root, "x/y/z");
    for (let round = 0; round < 50; round += 1) {
      await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(root, "x/y/w"))]);
      await rm(join(root, "x"), { recursive: true });
    }
    await makeFolder(path);
    await makeFolder("/");
    assert.ok((await stat(path)).isDirectory());
  });
  it("fails where a file is in the way", async () => {
    await writeFile(join(root, "file"), "");
    await assert.rejects(makeFolder(join(root, "file")), { code: "EEXIST" });
    await assert.rejects(makeFolder(join(root, "file/below")), { code: "ENOTDIR" });
  });
  it("fails below /proc, where the recursive mkdir of Node.js would not end", async () => {
    await assert.rejects(makeFolder("/proc/no-such-process/below"), { code: "ENOENT" });
  });
});
