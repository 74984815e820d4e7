import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { createRandom } from "@talos-ts/base/testing";
import { decodeDhcp6, encodeDhcp6, options6 } from "./message.ts";
import { leaseOf6 } from "./lease.ts";

const message = {
  type: "solicit",
  transaction: 0xabcdef,
  options: [
    [options6.clientId, Buffer.from("0003000102000000000a", "hex")],
    [options6.elapsed, Buffer.alloc(2)],
  ],
} as const;

describe("encodeDhcp6(), decodeDhcp6()", () => {
  it("keep a message, in the form of RFC 8415", () => {
    const bytes = encodeDhcp6(message);
    assert.equal(bytes.toString("hex"), "01abcdef0001000a0003000102000000000a000800020000");
    assert.deepEqual(decodeDhcp6(bytes), message);
  });

  it("meet random bytes only with typed errors", () => {
    const random = createRandom(6);
    for (let round = 0; round < 10_000; round++) {
      const bytes = Buffer.concat([Buffer.from([7, 0, 0, 1]), random.bytes(random.below(90))]);
      try {
        leaseOf6(decodeDhcp6(bytes));
      } catch (err) {
        assert.ok(err instanceof OsError, String(err));
      }
    }
  });
});
