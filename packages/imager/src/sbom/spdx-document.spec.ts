import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { spdxDocument } from "./spdx-document.ts";

const zlib = { name: "zlib1g", version: "1:1.3", license: "Zlib", purl: "pkg:deb/debian/zlib1g@1%3A1.3?arch=amd64" };
const sys = { name: "golang.org/x/sys", version: "v0.23.0", purl: "pkg:golang/golang.org/x/sys@v0.23.0" };
const make = (components = [zlib, sys, zlib]): string =>
  spdxDocument({ name: "talos", version: "v1.13.0", components, createdSeconds: 1_767_225_600 });

interface Document {
  readonly packages: readonly Readonly<Record<string, unknown>>[];
  readonly relationships: readonly Readonly<Record<string, unknown>>[];
  readonly creationInfo: { readonly created: string };
}

describe("spdxDocument()", () => {
  it("names the system first, then each component once, sorted", () => {
    const document = JSON.parse(make()) as Document;
    assert.deepEqual(
      document.packages.map((row) => [row["name"], row["versionInfo"], row["licenseDeclared"]]),
      [
        ["talos", "v1.13.0", "Apache-2.0"],
        ["golang.org/x/sys", "v0.23.0", "NOASSERTION"],
        ["zlib1g", "1:1.3", "Zlib"],
      ],
    );
    assert.equal(document.creationInfo.created, "2026-01-01T00:00:00Z");
    assert.equal(document.relationships.filter((row) => row["relationshipType"] === "CONTAINS").length, 2);
  });

  it("gives the same bytes for the same parts in any order, and another namespace for other parts", () => {
    assert.equal(make([sys, zlib]), make([zlib, sys]));
    assert.notEqual(make([sys]), make([zlib]));
  });
});
