import assert from "node:assert/strict";
import { test } from "node:test";
import { formatEntryName, parseEntryName } from "./entry-name.ts";

test("parseEntryName() reads the counter, and formatEntryName() writes the same name", () => {
  for (const [file, expected] of [
    ["talos-v1.13.9.conf", { id: "talos-v1.13.9" }],
    ["talos-v1.13.9~1+3.conf", { id: "talos-v1.13.9~1", triesLeft: 3 }],
    ["talos-v1.14.0-alpha.1+0-3.conf", { id: "talos-v1.14.0-alpha.1", triesLeft: 0, triesDone: 3 }],
  ] as const) {
    assert.deepEqual(parseEntryName(file), expected);
    assert.equal(formatEntryName(expected), file);
  }
});

test("parseEntryName() leaves other files alone", () => {
  assert.equal(parseEntryName("talos-v1.13.9.conf.tmp"), undefined);
  assert.equal(parseEntryName("random-seed"), undefined);
});
