import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { findRootfs } from "./find-rootfs.ts";
import { importRootfs } from "./import-rootfs.ts";

const content = "hsqs and the rest of an image";
const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;

describe("importRootfs()", () => {
  it("copies a squashfs file into the cache, where nodes find it by its digest", async () => {
    await using folder = await temporaryDirectory();
    const [file, cache] = [join(folder.path, "a.squashfs"), join(folder.path, "cache")];
    await writeFile(file, content);
    const image = await importRootfs(file, cache);
    assert.equal(image.digest, digest);
    assert.equal(await readFile(image.squashfs, "utf8"), content);
    assert.deepEqual(await findRootfs(digest, cache), image);
    assert.deepEqual(await importRootfs(digest, cache), image);
    assert.deepEqual(await importRootfs(file, cache), image);
  });
  it("refuses other files, and names that lead nowhere", async () => {
    await using folder = await temporaryDirectory();
    const file = join(folder.path, "a.txt");
    await writeFile(file, "text");
    await assert.rejects(importRootfs(file, folder.path), { code: "image/not-squashfs" });
    await assert.rejects(importRootfs(join(folder.path, "none"), folder.path), { code: "image/not-found" });
    await assert.rejects(importRootfs(digest, folder.path), { code: "image/not-found" });
  });
});
