import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pemFromBase64, pemToBase64, redactedPem } from "./pem-base64.ts";

describe("pemFromBase64()", () => {
  it("reads back what pemToBase64() wrote, redacted keys included", () => {
    for (const text of ["-----BEGIN A-----\n", "", redactedPem])
      assert.equal(pemFromBase64(pemToBase64(text), "x"), text);
  });
  it("ignores line breaks", () => assert.equal(pemFromBase64("YWJj\nZGVm\r\n", "x"), "abcdef"));
  it("names the value it refuses", () => {
    for (const text of ["YWJ", "YW!j", "*****", "YWJj YWJj"]) {
      assert.throws(() => pemFromBase64(text, "certs.os.key"), {
        code: "crypto/bad-pem",
        message: "Value of certs.os.key is not base64",
      });
    }
  });
});
