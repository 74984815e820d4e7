import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dependencyProblems, importedPackages, isTestPath } from "./dependencies.ts";

const file = (path: string, ...names: string[]) => ({
  isTest: isTestPath(path),
  text: names.map((name) => `import { x } from "${name}";\n`).join(""),
});

describe("importedPackages()", () => {
  it("reduces subpaths to packages and leaves out builtin modules and files", () => {
    const text = `import a from "@talos-ts/base/net";\nimport "fs";\nexport { b } from "./b.ts";\nimport type {\n  C,\n} from "yaml";
const d = await import("rfc6902");\nimport { x } from "node:fs";\nconst text = [' from "none"'];\n`;
    assert.deepEqual([...importedPackages(text)], ["@talos-ts/base", "yaml", "rfc6902"]);
  });
});

describe("dependencyProblems()", () => {
  const manifest = { name: "a", dependencies: { b: "1", c: "1" }, devDependencies: { d: "1" } };
  it("is content when declarations and imports agree", () => {
    const files = [file("src/x.ts", "b", "c", "a"), file("src/x.spec.ts", "b", "d", "tool")];
    assert.deepEqual(dependencyProblems(manifest, files, new Set(["tool"])), []);
  });
  it("names what is imported and not declared", () => {
    const files = [file("src/x.ts", "b", "c", "new"), file("src/testing/x.ts", "d", "other")];
    assert.deepEqual(dependencyProblems(manifest, files), [
      "a imports new: declare it in dependencies",
      "a imports other in tests: declare it in devDependencies",
    ]);
  });
  it("names what is declared and not imported, or imported by tests only", () => {
    assert.deepEqual(dependencyProblems(manifest, [file("src/x.ts", "d"), file("src/testing.ts", "b")]), [
      "a imports d: declare it in dependencies",
      "a imports b in tests only: move it to devDependencies",
      "a declares c in dependencies and does not import it: remove it",
      "a declares d in devDependencies and no test imports it: remove it",
    ]);
  });
});
