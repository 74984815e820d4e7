import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { root } from "../../scripts/lib/step.ts";

interface Row {
  readonly id: string;
  readonly proof: string;
}

const text = readFileSync(join(root, "docs/acceptance.md"), "utf8");
const rows: readonly Row[] = [...text.matchAll(/^\| ([TC]-\d\d) \| [^|]+ \| ([^|]+) \|$/gm)].map(
  ([, id = "", proof = ""]) => ({ id, proof }),
);
const ids = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${letter}-${String(index + 1).padStart(2, "0")}`);

/** Reports whether a file has a test of this name: as such, or as a row of a table that tests are made of. */
function hasTest(path: string, name: string): boolean {
  const quoted = JSON.stringify(name).replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  const before = String.raw`(?:\b(?:it|test|describe)\(\s*|\bruntimeCriterion\(subject, |\b(?:claim|question): )`;
  return new RegExp(`${before}${quoted}`).test(readFileSync(join(root, path), "utf8"));
}

describe("acceptance.md", () => {
  it("has every row of the troubleshooting guide and of the component overview once", () => {
    assert.deepEqual(
      rows.map(({ id }) => id),
      [...ids("T", 81), ...ids("C", 33)],
    );
  });
  for (const { id, proof } of rows) {
    it(`${id} names tests that exist, or says why there are none`, () => {
      if (proof.startsWith("none: ")) return;
      const proofs = proof.split("<br>");
      for (const each of proofs) {
        const [, path = "", name = ""] = /^`([^`]+)`: (.+)$/.exec(each.trim()) ?? [];
        assert.ok(path !== "" && hasTest(path, name), `${each}: no such test`);
      }
    });
  }
  it("leaves no row without a test", () => {
    assert.deepEqual(
      rows.filter(({ proof }) => proof.startsWith("none: ")).map(({ id }) => id),
      [],
    );
  });
});
