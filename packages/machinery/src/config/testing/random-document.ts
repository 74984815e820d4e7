/** Random values of a type, the same for the same seed. For tests only. */

import type { Random } from "@talos-ts/base/testing";
import type { DocumentSchema } from "../schema/document.ts";
import type { Property, ObjectType, Scalar, ScalarType, Type } from "../schema/type.ts";
import { resolveScalar } from "../../yaml/resolve-scalar.ts";

/** Texts that one scalar type or another accepts; some are traps for a YAML writer. */
const texts = [
  "a",
  "x y",
  "true",
  "no",
  "0644",
  "a: b",
  "# c",
  "- d",
  " e ",
  "line\nbreak\n",
  "tab\there",
  "é😀",
  "'q\"",
  "~",
  "1.5",
]
  .concat([
    "10.0.0.1",
    "fd00::1",
    "10.0.0.0/8",
    "10.0.0.1:80",
    "[fd00::1]:80",
    "1m30s",
    "-5s",
    "YWJj",
    "2e:3c:4d:5e:6f:70",
  ])
  .concat([
    "7",
    "34",
    "420",
    "80-90",
    "10GiB",
    "50%",
    ">= 1TB",
    "https://a.b/c",
    "tcp://1.2.3.4:5",
    "false",
    "00:01:02",
  ]);

function randomValue(type: Type<unknown>, random: Random, depth = 0): unknown {
  switch (type.is) {
    case "scalar":
      return randomScalar(type, random);
    case "array":
      return randomItems(type.item, random, depth).filter((item) => item !== undefined);
    case "dictionary":
      return Object.fromEntries(
        randomItems(type.item, random, depth).flatMap((item, index) =>
          item === undefined ? [] : [[`${random.pick(["key", "a.b/c", "10", "9"])}${index}`, item]],
        ),
      );
    case "any":
      return randomAny(random);
    case "argument":
      return random.pick(["flag", "0644", ["one", "two"], [""]]);
    case "object":
    default:
      return randomObject(type, random, depth);
  }
}

function randomItems(item: Type<unknown>, random: Random, depth: number): unknown[] {
  return Array.from({ length: random.below(3) }, () => randomValue(item, random, depth + 1));
}

function randomScalar(type: ScalarType<unknown>, random: Random): unknown {
  const words = type.expected.startsWith("one of ") ? type.expected.slice(7).split(", ") : texts;
  for (let attempt = 0; attempt < 80; attempt++) {
    const text = random.pick(words);
    const value = resolveScalar(text);
    const scalar: Scalar = { text, value, quoted: false };
    try {
      const parsed = type.parse(scalar);
      if (parsed !== undefined) return parsed;
    } catch {
      // Not a text of this type; the next one may be.
    }
  }
  return undefined;
}

function randomAny(random: Random): unknown {
  const leaf = (): unknown => random.pick<unknown>([1, true, "text", "0644", [1, "two"], { deep: "er" }, [], {}]);
  return Object.fromEntries(["k1", "k2", "on"].slice(random.below(3)).map((key) => [key, leaf()]));
}

function randomObject(type: ObjectType<unknown>, random: Random, depth: number): unknown {
  const fields = Object.entries(type.fields).filter(() => random.below(100) < (depth > 4 ? 10 : 45));
  return Object.fromEntries(fields.flatMap(([key, field]) => randomField(key, field, random, depth)));
}

function randomField(key: string, field: Property<unknown>, random: Random, depth: number): [string, unknown][] {
  const value = randomValue(field.type, random, depth + 1);
  return value === undefined || isDropped(field, value) ? [] : [[key, value]];
}

/** Returns what is read back as absent: empty collections, and structures without a set field. */
function isDropped(field: Property<unknown>, value: unknown): boolean {
  if (field.type.is === "array" || field.type.is === "dictionary" || field.type.is === "any") {
    return field.always !== true && Object.keys(value as object).length === 0;
  }
  if (field.inlineStruct !== true) return false;
  return (
    Object.keys(value as object).length === 0 || (field.type.is === "object" && field.type.isZero?.(value) === true)
  );
}

/** A whole document. */
export function randomDocument(schema: DocumentSchema, random: Random): unknown {
  const value = randomObject(schema.type, random, 0) as Record<string, unknown>;
  if (schema.kind === "v1alpha1") return { ...value, version: "v1alpha1", debug: true };
  return { ...value, apiVersion: schema.apiVersion, kind: schema.kind, ...(schema.named ? { name: "example" } : {}) };
}
