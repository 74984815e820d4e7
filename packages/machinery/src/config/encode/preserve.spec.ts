import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { loadConfig } from "../load/load.ts";
import { applyPatches } from "../patch/apply.ts";
import { loadPatches } from "../patch/load-patch.ts";
import { createRandom, type Random } from "@talos-ts/base/testing";
import { encodeConfig } from "./encode.ts";
import { encodePreserving } from "./preserve.ts";

const folder = new URL("../edit/testdata/", import.meta.url);

/** Three texts behind the lines `=== config`, `=== patch` and `=== result`. */
function readCase(file: string): readonly string[] {
  const text = readFileSync(new URL(file, folder), "utf8");
  return text.split(/^=== \w+\n/m).slice(1);
}

function patchedText(config: string, patch: string): string {
  const patched = applyPatches(loadConfig(config), loadPatches([patch]));
  const text = encodePreserving(patched);
  assert.equal(encodeConfig(loadConfig(text)), encodeConfig(patched), `${config}\n===\n${patch}\n===\n${text}`);
  return text;
}

describe("encodePreserving()", () => {
  for (const file of readdirSync(folder)) {
    const [config = "", patch = "", result = ""] = readCase(file);
    test(`changes only what it must: ${file.replace(".txt", "")}`, () => {
      assert.equal(patchedText(config, patch), result);
    });
    test(`keeps CRLF: ${file.replace(".txt", "")}`, () => {
      assert.equal(patchedText(crlf(config), crlf(patch)), crlf(result));
    });
  }

  test("keeps a file without a final line break as it is", () => {
    const config = "machine:\n  type: worker\n  env: {A: b}";
    assert.equal(patchedText(config, "machine: {type: controlplane}"), config.replace("worker", "controlplane"));
    assert.equal(patchedText(config, "machine: {sysctls: {a: b}}"), `${config}\n  sysctls:\n    a: b`);
  });

  test("keeps tabs behind values and the mark of byte order", () => {
    const config = "\uFEFFversion: v1alpha1\t\nmachine:\t# tab\n  type: worker\t# role\n  env:\t{A: b}\t\n";
    const result = config.replace("worker", "controlplane").replace("{A: b}", "{A: b, C: d}");
    assert.equal(patchedText(config, "machine: {type: controlplane, env: {C: d}}"), result);
  });

  test("gives the source back when a patch changes nothing", () => {
    const config = "---\n# main\nmachine: {type:   worker}\n...\n---\n---\n";
    assert.equal(patchedText(config, "machine: {type: worker}"), config);
  });
});

/** Lines that come between others, twice, or not at all, with marks that mean something to YAML. */
function mangled(text: string, random: Random): string {
  const lines = text.split("\n");
  for (let times = random.below(4); times >= 0; times--) {
    const at = random.below(lines.length);
    const line = lines[at] ?? "";
    const indent = " ".repeat(random.below(8));
    const changes: readonly (() => readonly string[])[] = [
      () => [line, `${indent}# comment`],
      () => [indent, line],
      () => [],
      () => [line.replace(/: /, ": &anchor ")],
      () => [line.replace(/: .*/, ": *anchor")],
      () => [line.replace(/^( *)(\w+): /, "$1? $2\n$1: ")],
      () => [line.replace(/: /, ": !!str ")],
      () => [line.replace(/: /, `:\n${indent}        `)],
      () => [line.replace(/, /, `, # inside\n${indent}      `)],
      () => [line.replace(/^( *)(\w+):/, '$1"$2" :')],
      () => [`${line} # [{"`, ""],
      () => ["---", line],
    ];
    lines.splice(at, 1, ...random.pick(changes)());
  }
  return lines.join("\n");
}

test("encodePreserving() is read back as what was meant, however the source looks", () => {
  const random = createRandom(41);
  const cases = readdirSync(folder).map(readCase);
  let checked = 0;
  for (let round = 0; round < 3000; round++) {
    const config = mangled(random.pick(cases)[0] ?? "", random);
    const patch = random.pick(cases)[1] ?? "";
    try {
      applyPatches(loadConfig(config), loadPatches([patch]));
    } catch {
      continue;
    }
    patchedText(config, patch);
    checked++;
  }
  assert.ok(checked > 300, `${checked} of them could be patched`);
});

function crlf(text: string): string {
  return text.replaceAll("\n", "\r\n");
}
