import assert from "node:assert/strict";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "./testing.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

describe("writeFileAtomically()", () => {
  it("replaces a file and what an interrupted attempt left, with exactly the given rights", async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, "file");
    await writeFile(path, "old");
    await writeFile(`${path}-tmp`, "half", { mode: 0o777 });
    await writeFileAtomically(path, "new", 0o600);
    assert.equal(await readFile(path, "utf8"), "new");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(directory.path), ["file"]);
  });
  it("fails where there is no directory", async () => {
    await using directory = await temporaryDirectory();
    await assert.rejects(writeFileAtomically(join(directory.path, "no/such"), "new", 0o600), { code: "ENOENT" });
  });
});
