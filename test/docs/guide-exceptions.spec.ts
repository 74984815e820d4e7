import assert from "node:assert/strict";
import { test } from "node:test";
import { pages } from "./documents.ts";
import { instead, notRun } from "./guide-exceptions.ts";
import { guideLines } from "./guide-lines.ts";

test("README and guides have every line that is treated as an exception", () => {
  const guides = pages().filter(({ path }) => path === "README.md" || path.startsWith("docs/guides/"));
  const known = new Set(guides.flatMap((page) => guideLines(page).map(({ text }) => text)));
  const exceptions = [...Object.values(notRun).flat(), ...Object.keys(instead)];
  assert.deepEqual(
    exceptions.filter((line) => !known.has(line)),
    [],
  );
});

test("a line of README and guides that is a task of this repository is an exception", () => {
  // Guides are followed in a folder that has no package.
  const lines = pages()
    .filter(({ path }) => path === "README.md" || path.startsWith("docs/guides/"))
    .flatMap((page) => guideLines(page).map(({ text }) => text))
    .filter((line) => line.startsWith("npm "));
  const exceptions = new Set([...Object.values(notRun).flat(), ...Object.keys(instead)]);
  assert.deepEqual(
    lines.filter((line) => !exceptions.has(line)),
    [],
  );
});
