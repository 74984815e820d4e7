import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createKeyDecoder } from "./keys.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("createKeyDecoder()", () => {
  it("knows characters, control characters and the sequences of several terminals", () => {
    const keys = createKeyDecoder().add(
      bytes("hé\u0003\u0004\t\r\u001b[A\u001bOB\u001bOP\u001b[12~\u001b[[B\u001b[Z\u001b[5~"),
    );
    assert.deepEqual(keys, [
      "h",
      "é",
      "ctrl-c",
      "ctrl-d",
      "tab",
      "enter",
      "up",
      "down",
      "f1",
      "f2",
      "f2",
      "shift-tab",
      "page-up",
    ]);
  });

  it("waits for the rest of a sequence and of a character", () => {
    const decoder = createKeyDecoder();
    assert.deepEqual(decoder.add(bytes("\u001b")), []);
    assert.deepEqual(decoder.add(bytes("[")), []);
    assert.deepEqual(decoder.add(bytes("Cx")), ["right", "x"]);
    const [first = 0, second = 0] = bytes("é");
    assert.deepEqual(decoder.add(Uint8Array.of(first)), []);
    assert.deepEqual(decoder.add(Uint8Array.of(second)), ["é"]);
  });

  it("takes an ESC for the key when nothing follows", () => {
    const decoder = createKeyDecoder();
    assert.deepEqual(decoder.add(bytes("\u001b")), []);
    assert.deepEqual(decoder.flush(), ["escape"]);
  });

  it("drops sequences that it does not know, whole", () => {
    assert.deepEqual(createKeyDecoder().add(bytes("\u001b[1;5Dq\u001b[24~q\u001bOxq")), ["q", "q", "q"]);
  });
});
