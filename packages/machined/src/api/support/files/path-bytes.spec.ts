import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pathOfText, textOfName } from "./path-bytes.ts";

const bytesOf = (path: string | Buffer): Buffer => (typeof path === "string" ? Buffer.from(path) : path);

describe("textOfName() and pathOfText()", () => {
  const cases: readonly (readonly [name: Buffer, text: string])[] = [
    [Buffer.from("plain.txt"), "plain.txt"],
    [Buffer.from("für ❤"), "für ❤"],
    [Buffer.from("caf\xe9", "latin1"), "caf\\xe9"],
    [Buffer.from([0xff, 0xfe, 0x61]), "\\xff\\xfea"],
    [Buffer.from("a\\x41"), "a\\x5cx41"],
    [Buffer.from("a\\xzz"), "a\\xzz"],
    [Buffer.from("\uFFFD"), "\uFFFD"],
  ];
  for (const [name, text] of cases) {
    it(`write ${name.toString("hex")} as ${text}, and back`, () => {
      assert.equal(textOfName(name), text);
      assert.deepEqual(bytesOf(pathOfText(text)), name);
    });
  }
});
