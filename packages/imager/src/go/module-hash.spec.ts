import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleHash, sha256Of } from "./module-hash.ts";

test("moduleHash is the h1 hash of go.sum, whatever the order of the files", () => {
  // The go.mod of golang.org/toolchain, whose hash sum.golang.org records.
  const goMod = { name: "go.mod", sha256: sha256Of(Buffer.from("module golang.org/toolchain\n")) };
  assert.equal(moduleHash([goMod]), "h1:8wlg68NqwW7eMnI1aABk/C2pDYXj8mrMY4TyRfiLeS0=");
  const other = { name: "LICENSE", sha256: sha256Of(Buffer.from("free\n")) };
  assert.equal(moduleHash([goMod, other]), moduleHash([other, goMod]));
});
