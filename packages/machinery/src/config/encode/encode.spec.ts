import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeConfig, makeDocument } from "../config.ts";
import { documentSchemas } from "../documents/index.ts";
import { loadConfig, readConfig } from "../load/load.ts";
import { applyPatches } from "../patch/apply.ts";
import { loadPatches } from "../patch/load-patch.ts";
import { createRandom } from "@talos-ts/base/testing";
import { randomDocument } from "../testing/random-document.ts";
import { configText, encodeConfig } from "./encode.ts";
import { withoutEmpty } from "../testing/without-empty.ts";
import { compareKeys } from "../../yaml/key-order.ts";

describe("encodeConfig()", () => {
  for (const schema of documentSchemas()) {
    test(`is undone by loading, for any ${schema.kind}`, () => {
      const random = createRandom(11);
      for (let round = 0; round < 40; round++) {
        const value = randomDocument(schema, random);
        const text = encodeConfig(makeConfig([makeDocument(schema, value)]));
        const { config, problems } = readConfig(text);
        assert.deepEqual(problems, [], text);
        assert.deepEqual(withoutEmpty(config?.documents[0]?.value), withoutEmpty(value), text);
        assert.equal(config === undefined ? "" : encodeConfig(config), text);
      }
    });
  }

  test("writes documentation behind scalars and above the rest, and examples of unset fields", () => {
    const text = encodeConfig(loadConfig("machine:\n  type: worker\n"), { docs: true, examples: true });
    assert.match(text, /^ {4}type: worker # What the machine is in the cluster\.$/m);
    assert.match(text, /^# The machine\.\nmachine:$/m);
    assert.match(text, /^ {4}# nodeLabels:\n {4}# {5}exampleLabel: exampleLabelValue$/m);
    assert.deepEqual(loadConfig(text).main, loadConfig(encodeConfig(loadConfig(text))).main);
  });

  test("sorts keys of maps as go-yaml does", () => {
    const keys = ["b10", "b9", "B", "a.b", "a-b", "a", "10", "9", "_x"];
    assert.deepEqual(keys.toSorted(compareKeys), ["_x", "9", "10", "B", "a", "a-b", "a.b", "b9", "b10"]);
  });
});

describe("configText()", () => {
  test("gives the source byte for byte until something changes", () => {
    const text = "debug:   true   # spaces\nmachine: {type: worker}\n";
    const config = loadConfig(text);
    assert.equal(configText(config), text);
    const patched = applyPatches(config, loadPatches(["machine: {type: controlplane}"]));
    assert.equal(configText(patched), encodeConfig(patched));
  });
});
