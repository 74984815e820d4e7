import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Config } from "../config.ts";
import { mainType } from "../documents/v1alpha1/config.ts";
import { loadConfig } from "../load/load.ts";
import type { ObjectType } from "../schema/type.ts";
import { immediatePaths, rebootPaths } from "./apply-mode.ts";
import { diffConfigs, unifiedDiff } from "./diff.ts";

const base = "version: v1alpha1\nmachine: {type: worker, features: {rbac: true}}\n";

describe("rebootPaths()", () => {
  const changes: readonly (readonly [string, readonly string[]])[] = [
    ["debug: true\nmachine: {type: worker, features: {rbac: true}}\ncluster: {id: a}\n", []],
    [
      "machine: {type: worker, features: {rbac: true, kubePrism: {enabled: true}}, kubelet: {image: a}, sysctls: {a: b}}\n",
      [],
    ],
    ["machine: {type: controlplane, features: {rbac: true}, env: {a: b}}\n", ["machine.type", "machine.env"]],
    ["machine: {type: worker, features: {rbac: false}}\n", ["machine.features.rbac"]],
    ["machine: {type: worker}\n", ["machine.features"]],
  ];
  for (const [text, paths] of changes) {
    test(`${paths.length === 0 ? "none" : paths.join(", ")} for ${text.split("\n")[0]}`, () => {
      const changed: Config = loadConfig(`version: v1alpha1\n${text}`);
      assert.deepEqual(rebootPaths(loadConfig(base), changed), paths);
    });
  }

  test("is empty when only other documents change", () => {
    const changed = loadConfig(`${base}---\napiVersion: v1alpha1\nkind: ResolverConfig\n`);
    assert.deepEqual(rebootPaths(loadConfig(base), changed), []);
  });

  test("every path that applies at once exists", () => {
    for (const path of immediatePaths) {
      let type: ObjectType<unknown> | undefined = mainType;
      for (const step of path.split(".")) {
        const field: unknown = type?.fields[step]?.type;
        assert.notEqual(field, undefined, path);
        type = (field as ObjectType<unknown>).is === "object" ? (field as ObjectType<unknown>) : undefined;
      }
    }
  });
});

describe("diffConfigs()", () => {
  test("shows what changed, and nothing when nothing did", () => {
    const changed = loadConfig(base.replace("worker", "controlplane"));
    assert.equal(diffConfigs(loadConfig(base), loadConfig(base)), "");
    const diff = diffConfigs(loadConfig(base), changed);
    assert.match(
      diff,
      /^--- a\n\+\+\+ b\n@@ -1,6 \+1,6 @@\n version: v1alpha1\n machine:\n- {4}type: worker\n\+ {4}type: controlplane\n/,
    );
  });

  test("hides secrets when asked to", () => {
    const [left, right] = ["one", "two"].map((token) => loadConfig(`machine: {token: ${token}, type: ${token}}\n`));
    const diff = diffConfigs(left, right, { redact: "***" });
    assert.match(diff, /type: two/);
    assert.doesNotMatch(diff, /token: (?:one|two)/);
  });
});

describe("unifiedDiff()", () => {
  test("gives up on texts that are too large", () => {
    assert.equal(
      unifiedDiff("a\n".repeat(50_000), "b\n".repeat(50_000)),
      "@@ -1,50000 +1,50000 @@ diff too large to display\n",
    );
  });
});
