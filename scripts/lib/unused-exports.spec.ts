import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { resolveRelative, unusedExports } from "./unused-exports.ts";

const isSpec = (path: string): boolean => path.endsWith(".spec.ts");
const isTest = (path: string): boolean => isSpec(path) || path.includes("testing");
const check = (files: Readonly<Record<string, string>>): string[] =>
  unusedExports(new Map(Object.entries(files)), resolveRelative, isSpec, isTest).map(
    ({ place, name, problem }) => `${place} ${name} ${problem}`,
  );

describe("unusedExports()", () => {
  it("names values that nothing imports, and values that only a spec imports", () => {
    const found = check({
      "a.ts":
        "export const used = 1;\nexport function alone(): void {}\n\nexport class Tried {}\nexport interface Shape {}\n",
      "a.spec.ts": 'import { Tried } from "./a.ts";\n',
      "b.ts": 'import { used } from "./a.ts";\n',
    });
    assert.deepEqual(found, ["a.ts:2 alone unused", "a.ts:4 Tried test-only"]);
  });

  it("follows re-exports under another name, namespaces and lazy imports", () => {
    const found = check({
      "a.ts": "export const one = 1;\nexport const two = 2;\nexport const three = 3;\n",
      "b.ts": "export const four = 4;\n",
      "c.ts": "export const five = 5;\n",
      "d.ts": "export const six = 6;\nexport const seven = 7;\n",
      "index.ts": 'export {\n  one as first,\n  two,\n} from "./a.ts";\nexport * from "./b.ts";\n',
      "main.ts":
        'import { first, four } from "./index.ts";\nimport * as c from "./c.ts";\nconst { six: other } = await import("./d.ts");\n',
    });
    assert.deepEqual(found, ["a.ts:2 two unused", "a.ts:3 three unused", "d.ts:2 seven unused"]);
  });

  it("leaves what a file exports for its spec and needs itself, and helpers of specs", () => {
    const found = check({
      "a.ts": "/** total */\nexport const part = 1;\nexport const total = part + 1;\n",
      "a.spec.ts": 'import { part, total } from "./a.ts";\nimport { help } from "./testing.ts";\n',
      "testing.ts": "export const help = 1;\n",
    });
    assert.deepEqual(found, ["a.ts:3 total test-only"]);
  });
});
