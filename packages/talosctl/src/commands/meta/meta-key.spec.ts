import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseMetaKey } from "./meta-key.ts";

describe("parseMetaKey()", () => {
  it("reads one byte in the bases of Go", () => {
    for (const [text, key] of [
      ["10", 10],
      ["0x0a", 10],
      ["0XFF", 255],
      ["012", 10],
      ["0o12", 10],
      ["0b11", 3],
      ["0", 0],
    ] as const)
      assert.equal(parseMetaKey(text), key, text);
  });
  it("refuses everything else", () => {
    for (const text of ["", "256", "-1", "1.5", "0x", "ten", "09", "1e1"])
      assert.throws(() => parseMetaKey(text), { code: "cli/bad-key" }, text);
  });
});
