import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { percentDecode, percentEncode } from "./percent.ts";

describe("percentEncode", () => {
  it("leaves printable ASCII alone and escapes the rest", () => {
    assert.equal(percentEncode("all is well"), "all is well");
    assert.equal(percentEncode("100 %\nü"), "100 %25%0A%C3%BC");
  });
});

describe("percentDecode", () => {
  it("reverses percentEncode", () => {
    for (const text of ["", "plain", "100 %", "ü\r\n\u0000", "%zz", "日本"])
      assert.equal(percentDecode(percentEncode(text)), text);
  });

  it("keeps what is not a valid escape", () => {
    assert.equal(percentDecode("50% of %zz %4"), "50% of %zz %4");
  });
});
