import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatMemberId, parseMemberId } from "./member-id.ts";

describe("formatMemberId() and parseMemberId()", () => {
  it("T-34: write and read 16 hexadecimal digits", () => {
    assert.equal(formatMemberId(0x00ab_cdef_0123_4567n), "00abcdef01234567");
    assert.equal(parseMemberId("00abcdef01234567"), 0x00ab_cdef_0123_4567n);
    assert.equal(parseMemberId("FFFFFFFFFFFFFFFF"), 0xffff_ffff_ffff_ffffn);
  });
  it("refuse anything else", () => {
    for (const text of ["", "0x1", "node-1", "10000000000000000"]) {
      assert.throws(() => parseMemberId(text), { code: "etcd/bad-member-id" });
    }
  });
});
