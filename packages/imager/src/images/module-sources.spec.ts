import assert from "node:assert/strict";
import { test } from "node:test";
import { programKey, readModuleSources } from "./module-sources.ts";
import { programRecipe, programs } from "./programs.ts";
import { patchedModules } from "./patch-module.ts";

const sources = await readModuleSources("images");

test("the pinned versions of the images module have hashes, and so do the modules that are built from a copy", () => {
  for (const path of ["k8s.io/kubernetes", "go.etcd.io/etcd/server/v3", "github.com/coredns/coredns"]) {
    assert.match(sources.files["go.sum"] ?? "", new RegExp(`^${path} ${sources.pins.version(path)} h1:`, "m"));
  }
  for (const { path, hash } of patchedModules) assert.ok(hash[sources.pins.version(path)] !== undefined, path);
});

test("programKey changes with the program, its sources and the version of Kubernetes", async () => {
  const keys = programs.filter(({ module }) => module === "images").map((recipe) => programKey(recipe, sources));
  assert.equal(new Set(keys).size, keys.length);
  const pause = programRecipe("pause");
  const edited = (path: string): string =>
    programKey(pause, { ...sources, files: { ...sources.files, [path]: "package main" } });
  assert.notEqual(edited("pause/main.go"), programKey(pause, sources));
  assert.equal(edited("coredns/main.go"), programKey(pause, sources));
  const other = await readModuleSources("images", "v1.35.0");
  assert.equal(other.verified, false);
  assert.notEqual(programKey(programRecipe("kubernetes"), other), programKey(programRecipe("kubernetes"), sources));
  assert.deepEqual(
    await readModuleSources("images", sources.pins.version("k8s.io/kubernetes")).then((m) => m.verified),
    true,
  );
});
