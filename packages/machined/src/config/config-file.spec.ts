import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openSealed, sealConfig } from "./config-file.ts";

const text = "version: v1alpha1\nmachine:\n  type: worker\n";

describe("sealConfig() and openSealed()", () => {
  it("give back what was sealed", () => {
    assert.deepEqual(openSealed(Buffer.from(sealConfig(text))), { text: Buffer.from(text) });
    assert.deepEqual(openSealed(Buffer.from(sealConfig("a: ü"))), { text: Buffer.from("a: ü\n") });
  });

  it("take a file without a checksum as it is", () => {
    assert.deepEqual(openSealed(Buffer.from(text)), { text: Buffer.from(text) });
  });

  it("tell every single bit of the configuration that has flipped", () => {
    const sealed = Buffer.from(sealConfig(text));
    for (let bit = 0; bit < text.length * 8; bit += 1) {
      const flipped = Buffer.from(sealed);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const opened = openSealed(flipped);
      // A break before the checksum that is no break any more hides the checksum; the text is then no longer what it was either.
      assert.ok("damaged" in opened || !Buffer.from(opened.text).equals(Buffer.from(text)), String(bit));
    }
  });
});
