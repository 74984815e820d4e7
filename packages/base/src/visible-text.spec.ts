import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { visibleText } from "./visible-text.ts";

describe("visibleText()", () => {
  it("writes control characters out", () => {
    assert.equal(visibleText("a\nb\tc\rd"), String.raw`a\nb\tc\rd`);
    assert.equal(visibleText("\u001b[31mred\u0007\u009b\u007f"), String.raw`\x1b[31mred\x07\x9b\x7f`);
  });
  it("leaves all other text as it is", () => {
    for (const text of ["", " space ", "ünïcödé", String.raw`\xff`, "└─ a"]) assert.equal(visibleText(text), text);
  });
});
