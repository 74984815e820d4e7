/** Random CEL expressions, most of them wrong in their types. For tests only. */

import type { Random } from "@talos-ts/base/testing";

const leaves = [
  "1",
  "2u",
  "1.5",
  "'a'",
  "b'b'",
  "true",
  "null",
  "disk",
  "disk.size",
  "disk.symlinks",
  "disk.transport",
].concat([
  "system_disk",
  "GiB",
  "disk.nope",
  "nope",
  "[]",
  "{}",
  "int",
  "x",
  "duration('1s')",
  "timestamp(1)",
  "disk.rotational",
]);
const infix = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "&&", "||"];
const functions = [
  "size",
  "int",
  "uint",
  "string",
  "double",
  "type",
  "dyn",
  "glob",
  "nope",
  "has",
  "matches",
  "duration",
];
const methods = ["size", "startsWith", "contains", "exists", "all", "map", "filter", "exists_one", "getHours", "nope"];

export function randomExpression(random: Random, depth = 3): string {
  if (depth === 0 || random.below(5) === 0) return random.pick(leaves);
  const inner = (): string => randomExpression(random, depth - 1);
  const forms: readonly (() => string)[] = [
    () => `${inner()} ${random.pick(infix)} ${inner()}`,
    () => `(${inner()}) ${random.pick(infix)} (${inner()})`,
    () => `${random.pick(["!", "-"])}(${inner()})`,
    () => `(${inner()}) ? ${inner()} : ${inner()}`,
    () => `${random.pick(functions)}(${[inner(), inner()].slice(random.below(2)).join(", ")})`,
    () => `(${inner()}).${random.pick(methods)}(${["x", inner()].slice(random.below(2)).join(", ")})`,
    () => `[${[inner(), inner()].slice(random.below(3)).join(", ")}]`,
    () => `{${inner()}: ${inner()}}`,
    () => `(${inner()})[${inner()}]`,
    () => `(${inner()}).${random.pick(["size", "x", "transport"])}`,
  ];
  return random.pick(forms)();
}
