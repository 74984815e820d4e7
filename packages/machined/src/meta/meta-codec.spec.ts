import assert from "node:assert/strict";
import { createHash, randomBytes, randomInt } from "node:crypto";
import { describe, it } from "node:test";
import { decodeMetaCopy, encodeMetaCopy, metaCapacityBytes, metaCopyBytes, type MetaValues } from "./meta-codec.ts";

const values = (entries: Readonly<Record<number, string>>): MetaValues =>
  new Map(Object.entries(entries).map(([key, value]) => [Number(key), Buffer.from(value)]));

/** Values of random keys and sizes that fit together. */
function randomValues(): MetaValues {
  const found = new Map<number, Buffer>();
  for (let left = randomInt(20); left > 0; left--) found.set(randomInt(1, 256), randomBytes(randomInt(10_000)));
  return found;
}

describe("encodeMetaCopy()", () => {
  it("writes the bytes of Talos", () => {
    const copy = encodeMetaCopy(values({ 0x0c: "b", 0x0a: "value" }));
    assert.equal(copy.length, metaCopyBytes);
    assert.equal(
      copy.subarray(0, 30).toString("hex"),
      ["5a4b3c2d", "0000000a00000005", "76616c7565", "0000000c00000001", "62", "00000000"].join(""),
    );
    assert.ok(copy.subarray(30, metaCopyBytes - 36).every((byte) => byte === 0));
    assert.equal(copy.subarray(-4).toString("hex"), "a5b4c3d2");
    assert.equal(
      copy.subarray(-36, -4).toString("hex"),
      "10765ab929e0d0b455de915547761a5a6092de6cb7ed31519d9a375b8e5b3e73",
    );
  });
  it("takes values up to the last byte, and says what is over", () => {
    const whole = new Map([[1, randomBytes(metaCapacityBytes - 8)]]);
    assert.deepEqual(decodeMetaCopy(encodeMetaCopy(whole)), whole);
    assert.throws(() => encodeMetaCopy(new Map([...whole, [2, Buffer.alloc(0)]])), {
      kind: "resource-exhausted",
      code: "meta/full",
      message: /at most 262104 bytes .* got 262112$/,
    });
  });
  it("refuses keys that would end the list or not come back", () => {
    for (const key of [0, 256, -1, 1.5]) {
      assert.throws(() => encodeMetaCopy(new Map([[key, Buffer.alloc(1)]])), { code: "meta/key" }, String(key));
    }
  });
});

describe("decodeMetaCopy()", () => {
  it("gives back what was encoded, whatever it is", () => {
    for (let round = 0; round < 40; round++) {
      const given = randomValues();
      assert.deepEqual(
        new Map(decodeMetaCopy(encodeMetaCopy(given))),
        new Map([...given].toSorted(([a], [b]) => a - b)),
      );
    }
  });
  it("takes no copy with a changed bit, a torn end or another length", () => {
    const copy = encodeMetaCopy(randomValues());
    for (let round = 0; round < 40; round++) {
      const damaged = Buffer.from(copy);
      const at = randomInt(metaCopyBytes);
      damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << randomInt(8)), at);
      assert.equal(decodeMetaCopy(damaged), undefined, `byte ${String(at)}`);
    }
    const other = encodeMetaCopy(values({ 1: "other" }));
    for (const cut of [512, 4096, metaCopyBytes / 2, metaCopyBytes - 512]) {
      assert.equal(decodeMetaCopy(Buffer.concat([other.subarray(0, cut), copy.subarray(cut)])), undefined);
    }
    assert.equal(decodeMetaCopy(copy.subarray(1)), undefined);
    assert.equal(decodeMetaCopy(Buffer.alloc(metaCopyBytes)), undefined);
  });
  it("takes no value that reaches past its copy, though the checksum fits", () => {
    const copy = encodeMetaCopy(values({ 1: "x" }));
    copy.writeUInt32BE(metaCopyBytes, 8);
    copy.fill(0, metaCopyBytes - 36, metaCopyBytes - 4);
    createHash("sha256")
      .update(copy)
      .digest()
      .copy(copy, metaCopyBytes - 36);
    assert.equal(decodeMetaCopy(copy), undefined);
  });
});
