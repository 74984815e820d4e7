import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@talos-ts/base";
import type { Config } from "../config.ts";
import { documentSchemas } from "../documents/index.ts";
import { encodeConfig } from "../encode/encode.ts";
import { encodePreserving } from "../encode/preserve.ts";
import { loadConfig } from "../load/load.ts";
import type { Path } from "../load/problem.ts";
import { applyPatches } from "../patch/apply.ts";
import { loadPatches } from "../patch/load-patch.ts";
import type { DocumentSchema } from "../schema/document.ts";
import { messyYaml, type MessyLine } from "../testing/messy-yaml.ts";
import { createRandom, type Random } from "@talos-ts/base/testing";
import { randomDocument } from "../testing/random-document.ts";
import { withoutEmpty } from "../testing/without-empty.ts";
import { treeOf, type Values } from "./shape.ts";

/** Reports whether a line has to be in the result as it was; `undefined` where both is right. */
function survives(line: MessyLine, before: unknown, after: unknown, path: Path = line.path): boolean | undefined {
  if (isDeepStrictEqual(before, after)) return true;
  const isWhole = path.length === 0;
  if (after === undefined) return isWhole && line.role === "inside" ? undefined : false;
  if (isWhole && (line.role === "head" || line.role === "foot")) return true;
  if (isWhole && line.role === "flow") return undefined;
  const [step = "", ...rest] = path;
  if (isRecord(before) && isRecord(after)) {
    const kept = Object.keys(before).filter((key) => after[key] !== undefined);
    if (kept.length === 0) return undefined;
    return isWhole ? true : survives(line, before[step], after[step], rest);
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  const isLonger = before.length > 0 && isDeepStrictEqual(after.slice(0, before.length), before);
  return isLonger ? true : undefined;
}

/** A patch that merges, one that deletes, or operations that remove and replace. */
function randomPatch(schema: DocumentSchema, value: Values, random: Random): string {
  const id = schema.kind === "v1alpha1" ? {} : { apiVersion: schema.apiVersion, kind: schema.kind };
  const name = schema.named ? { name: "example" } : {};
  const [first = "version", ...rest] = randomPath(value, random);
  if (random.below(3) === 0) {
    const other = { ...(randomDocument(schema, random) as Values), ...(random.below(2) === 0 ? {} : value) };
    return messyYaml(treeOf(schema.type, other), random)
      .map(({ text }) => `${text}\n`)
      .join("");
  }
  const steps = [first, ...rest].map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1"));
  if (random.below(2) === 0) return JSON.stringify([{ op: "remove", path: `/${steps.join("/")}` }]);
  const deletion = rest.reduceRight<unknown>((inner, step) => ({ [step]: inner }), { $patch: "delete" });
  return JSON.stringify({ ...id, ...name, [first]: deletion });
}

function randomPath(value: unknown, random: Random): readonly string[] {
  const keys = isRecord(value) ? Object.keys(value).filter((key) => !fixedKeys.has(key)) : [];
  if (keys.length === 0) return [];
  const key = random.pick(keys);
  return [key, ...(random.below(4) === 0 ? [] : randomPath((value as Values)[key], random))];
}

const fixedKeys = new Set(["version", "apiVersion", "kind", "name"]);

function isSubsequence(lines: readonly string[], all: readonly string[]): string | undefined {
  let at = 0;
  for (const line of lines) {
    at = all.indexOf(line, at) + 1;
    if (at === 0) return line;
  }
  return undefined;
}

function valueOf({ documents }: Config): unknown {
  return withoutEmpty(documents[0]?.value);
}

function checkRound(schema: DocumentSchema, random: Random): boolean {
  const main = schema.kind === "v1alpha1" ? { machine: { type: "worker" } } : {};
  const value = { ...main, ...(randomDocument(schema, random) as Values) };
  const lines = messyYaml(treeOf(schema.type, value), random);
  const eol = random.pick(["\n", "\n", "\r\n"]);
  const source = lines.map(({ text }) => text).join(eol) + random.pick([eol, ""]);
  const config = loadConfig(source);
  const patch = randomPatch(schema, value, random);
  let patched: typeof config;
  try {
    patched = applyPatches(config, loadPatches([patch]));
  } catch {
    return false;
  }
  const text = encodePreserving(patched);
  const story = `${source}\n===\n${patch}\n===\n${text}`;
  const [before, after] = [config, patched].map(({ documents }) => documents[0]?.value);
  assert.deepEqual(valueOf(loadConfig(text)), valueOf(loadConfig(encodeConfig(patched))), story);
  const fates = lines.map((line) => [line, survives(line, before, after)] as const);
  const written = text.split(eol);
  const kept = fates.flatMap(([line, fate]) => (fate === true ? [line.text] : []));
  assert.equal(isSubsequence(kept, written), undefined, story);
  const gone = fates.flatMap(([line, fate]) => (fate === false && line.text.includes("#") ? [line.text] : []));
  assert.deepEqual(
    gone.filter((line) => written.includes(line)),
    [],
    story,
  );
  return true;
}

describe("encodePreserving() of a patched document, for any comments, styles and patches", () => {
  for (const schema of documentSchemas()) {
    test(`changes only the lines it must in a ${schema.kind}`, () => {
      const random = createRandom(29);
      let applied = 0;
      for (let round = 0; round < 60; round++) if (checkRound(schema, random)) applied++;
      assert.ok(applied > 10, `${applied} patches applied`);
    });
  }
});
