import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { celText } from "./cel-text.ts";
import { compileCel } from "./compile.ts";

/** Expressions in the form in which they are printed. */
const expressions = [
  'disk.transport == "nvme" && !system_disk',
  'disk.size > 10u * GiB && (disk.rotational || disk.model.matches("^A"))',
  '(disk.serial in ["a", "b\\"c"]) ? true : (disk.size % 2u == 1u)',
  'disk.symlinks.exists(s, s == "/dev/x")',
  'glob("/dev/*", disk.dev_path)',
  '-1 < 2 - (3 - 4) && disk.symlinks[0] != ""',
  '{"a": 1.0, "b": 2.5}["a"] > 0.5 && [1, 2].size() == 2',
  "!(disk.rotational && disk.readonly) || (disk.cdrom ? true : false)",
  "has(disk.model)",
];

describe("celText", () => {
  for (const text of expressions) {
    test(`gives back ${text}`, () => assert.equal(celText(compileCel(text).checked), text));
  }
  test("leaves out brackets that say nothing", () => {
    assert.equal(celText(compileCel("((a) && (b == (1 + 2 * 3)))").checked), "a && b == 1 + 2 * 3");
  });
});

test("compileCel refuses what is not CEL", () => {
  assert.throws(() => compileCel("disk.size >"), { code: "resource/invalid-expression" });
});
