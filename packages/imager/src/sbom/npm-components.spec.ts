import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { npmComponents, packageFolder } from "./npm-components.ts";

describe("packageFolder()", () => {
  for (const [file, folder] of [
    ["/a/node_modules/yaml/dist/index.js", "/a/node_modules/yaml"],
    ["../node_modules/@bufbuild/protobuf/dist/x.js", "../node_modules/@bufbuild/protobuf"],
    ["/a/node_modules/b/node_modules/c/index.js", "/a/node_modules/b/node_modules/c"],
    ["packages/base/src/clock.ts", undefined],
  ] as const) {
    it(`of ${file} is ${folder ?? "none"}`, () => assert.equal(packageFolder(file), folder));
  }
});

describe("npmComponents()", () => {
  it("reads name, version and licence of a package", async () => {
    const folder = resolve(import.meta.dirname, "../../../../node_modules/@bufbuild/protobuf");
    const [component] = await npmComponents([folder]);
    assert.equal(component?.name, "@bufbuild/protobuf");
    assert.match(component.purl, /^pkg:npm\/%40bufbuild\/protobuf@\d+\.\d+\.\d+$/);
    assert.match(component.license ?? "", /Apache-2\.0/);
  });
});
