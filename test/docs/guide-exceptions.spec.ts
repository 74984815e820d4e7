import assert from "node:assert/strict";
import { test } from "node:test";
import { guidePages } from "./documents.ts";
import { instead, notRun } from "./guide-exceptions.ts";
import { guideLines } from "./guide-lines.ts";

const lines = new Set(guidePages().flatMap((page) => guideLines(page).map(({ text }) => text)));
const exceptions = new Set([...Object.values(notRun).flat(), ...Object.keys(instead)]);

test("README and guides have every line that is treated as an exception", () => {
  assert.deepEqual([...exceptions.difference(lines)], []);
});

test("a line of README and guides that is a task of this repository is an exception", () => {
  // Guides are followed in a folder that has no package.
  const tasks = [...lines].filter((line) => line.startsWith("npm "));
  assert.deepEqual([...new Set(tasks).difference(exceptions)], []);
});
