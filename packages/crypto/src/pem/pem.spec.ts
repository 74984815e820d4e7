import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodePem, encodePem, firstPemBlock } from "./pem.ts";

describe("decodePem()", () => {
  it("reads back what encodePem() wrote, in order and between other text", () => {
    const [first, second] = [Buffer.alloc(100, 1), Buffer.from([2])];
    const text = `Bag Attributes\n${encodePem("A", first)}\nnoise\r\n${encodePem("B C", second).replaceAll("\n", "\r\n")}`;
    assert.deepEqual(decodePem(text), [
      { label: "A", der: first },
      { label: "B C", der: second },
    ]);
  });
  it("finds nothing in other text", () => assert.deepEqual(decodePem("hello\n-----BEGIN lower-----"), []));

  const refused = {
    "a block without end": "-----BEGIN A-----\nAAAA\n",
    "a block with another end": "-----BEGIN A-----\nAAAA\n-----END B-----\n",
    "a block that is not base64": "-----BEGIN A-----\nA!AA\n-----END A-----\n",
    "a block that is cut": "-----BEGIN A-----\nAAA\n-----END A-----\n",
    "an empty block": "-----BEGIN A-----\n-----END A-----\n",
    "an encrypted block": "-----BEGIN A-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END A-----\n",
  };
  for (const [name, text] of Object.entries(refused)) {
    it(`refuses ${name}`, () => assert.throws(() => decodePem(text), { code: "crypto/bad-pem" }));
  }
});

describe("firstPemBlock()", () => {
  it("names what it found instead", () => {
    assert.throws(() => firstPemBlock(encodePem("B", Buffer.from([1])), "A"), {
      code: "crypto/bad-pem",
      message: 'Expected a PEM block "A", found "B"',
    });
    assert.throws(() => firstPemBlock("", "A"), { message: 'Expected a PEM block "A", found no PEM block' });
  });
});
