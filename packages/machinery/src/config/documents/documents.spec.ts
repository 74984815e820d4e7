import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { encodeConfig } from "../encode/encode.ts";
import { loadConfig, readConfig } from "../load/load.ts";
import type { Problem } from "../load/problem.ts";
import { validateConfig } from "../validate/validate.ts";
import { documentSchemas } from "./index.ts";
import { documentFileName } from "../schema/document-file-name.ts";

function golden(kind: string, which: string): string {
  return readFileSync(new URL(`./testdata/${documentFileName(kind)}_${which}`, import.meta.url), "utf8");
}

function report(problems: readonly Problem[]): string {
  return problems.map(({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}\n`).join("");
}

/** Lists what loading says, or what validation says if it loads. */
function problemsOf(text: string): readonly Problem[] {
  const { config, problems } = readConfig(text);
  if (config === undefined) return problems;
  const { errors, warnings } = validateConfig(config, { mode: "metal" });
  return [...errors, ...warnings];
}

for (const { kind } of documentSchemas()) {
  describe(kind, () => {
    for (const which of ["min", "full"]) {
      test(`${which} example is valid and written back byte for byte`, () => {
        const text = golden(kind, `${which}.yaml`);
        assert.equal(report(problemsOf(text)), "");
        assert.equal(encodeConfig(loadConfig(text)), text);
      });
    }

    test("invalid example gives every message with its place", () => {
      assert.equal(report(problemsOf(golden(kind, "invalid.yaml"))), golden(kind, "invalid.txt"));
    });
  });
}

test("documentSchemas() knows every kind once", () => {
  const kinds = documentSchemas().map(({ kind }) => kind);
  assert.equal(new Set(kinds).size, kinds.length);
});
