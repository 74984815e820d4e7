import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { builtUsingFile, debianComponents, documentFolder } from "./debian-components.ts";

describe("debianComponents()", () => {
  it("lists packages with their licence, and what is linked into their programs", async () => {
    await using tree = await temporaryDirectory();
    const folder = join(tree.path, documentFolder("runc"));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "copyright"), "Format: x\n\nFiles: *\nCopyright: a\nLicense: Apache-2.0\n");
    await writeFile(
      join(folder, builtUsingFile),
      "Built-Using: golang-1.24 (= 1.24.4-1), golang-gocapability (= 1:0+x-2)\n",
    );
    const pinned = { name: "runc", version: "1.1.15+ds1-2", file: "runc.deb", sizeBytes: 1, sha256: "" };
    assert.deepEqual(await debianComponents(tree.path, [pinned], "amd64"), [
      {
        name: "runc",
        version: "1.1.15+ds1-2",
        license: "Apache-2.0",
        purl: "pkg:deb/debian/runc@1.1.15%2Bds1-2?arch=amd64",
      },
      { name: "golang-1.24", version: "1.24.4-1", purl: "pkg:deb/debian/golang-1.24@1.24.4-1?arch=source" },
      {
        name: "golang-gocapability",
        version: "1:0+x-2",
        purl: "pkg:deb/debian/golang-gocapability@1%3A0%2Bx-2?arch=source",
      },
    ]);
  });
});
