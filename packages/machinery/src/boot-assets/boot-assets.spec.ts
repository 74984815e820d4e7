import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bootAssetPaths, encodeManifest, parseManifest } from "./boot-assets.ts";

const asset = { path: "vmlinuz.efi", size: 1, sha256: "0".repeat(64) };
const manifest = { version: "v1.13.9", architecture: "amd64", files: { loader: asset, uki: asset } };

describe("parseManifest()", () => {
  it("reads what encodeManifest() writes", () => {
    assert.deepEqual(parseManifest(encodeManifest(manifest)), manifest);
  });

  for (const [what, changed, message] of [
    ["a version that is no file name", { version: "v1.13.9/../x" }, /expected a version such as v1\.13\.9, got "v1/],
    [
      "a path that leads elsewhere",
      { files: { loader: { ...asset, path: "../x" }, uki: asset } },
      /"loader" has no usable path/,
    ],
    ["a digest that is none", { files: { loader: asset, uki: { ...asset, sha256: "abc" } } }, /"uki" has no SHA-256/],
    ["a missing file", { files: { loader: asset } }, /"uki" has no usable path/],
    ["a size that is none", { files: { loader: asset, uki: { ...asset, size: -1 } } }, /"uki" has no size/],
    ["no architecture", { architecture: undefined }, /names no architecture/],
  ] as const) {
    it(`refuses ${what}`, () => {
      const text = JSON.stringify({ ...manifest, ...changed });
      assert.throws(() => parseManifest(text), { code: "boot/bad-manifest", message });
    });
  }

  it("refuses what is not JSON", () => {
    assert.throws(() => parseManifest("{"), { code: "boot/bad-manifest", message: /not JSON/ });
  });
});

it("bootAssetPaths names the folder of an architecture", () => {
  assert.equal(bootAssetPaths.image("amd64").folder, "usr/install/amd64");
});
