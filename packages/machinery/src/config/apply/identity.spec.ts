import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadConfig } from "../load/load.ts";
import { identityChanges } from "./identity.ts";

const config = (ca: string, accepted: readonly string[] = [], token = "t", id = "c") =>
  loadConfig(
    `version: v1alpha1\nmachine: {type: worker, token: ${token}, ca: {crt: ${ca}}, acceptedCAs: [${accepted
      .map((crt) => `{crt: ${crt}}`)
      .join(", ")}]}\ncluster: {id: ${id}}\n`,
  );
const [one, two] = ["b25l", "dHdv"];

describe("identityChanges()", () => {
  const cases = [
    ["nothing for the same identity", config(one), config(one), []],
    ["a CA that neither side accepts", config(one), config(two), ["machine.ca"]],
    ["no CA whose successor was accepted before", config(one, [two]), config(two), []],
    ["no CA that stays accepted", config(one), config(two, [one]), []],
    ["token and cluster id", config(one), config(one, [], "u", "d"), ["machine.token", "cluster.id"]],
    ["nothing that one side leaves empty", config(one), loadConfig("version: v1alpha1\nmachine: {type: worker}\n"), []],
  ] as const;
  for (const [name, current, next, expected] of cases) {
    test(`lists ${name}`, () => assert.deepEqual(identityChanges(current, next), expected));
  }
});
