import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { catalog, imageNames, programLayers, type Placement } from "./catalog.ts";
import { programs } from "./programs.ts";

test("every image starts a program that one of its layers has", () => {
  for (const name of imageNames) {
    const { layers, process } = catalog[name];
    const paths = layers.flatMap((layer) => {
      const placements: readonly Placement[] = layer === "static" || layer === "tools" ? [] : programLayers[layer];
      return placements.flatMap(({ path, links = [] }) =>
        [path].concat(links.map((link) => join(dirname(path), link))).map((each) => `/${each}`),
      );
    });
    assert.ok(paths.includes(process.Entrypoint[0] ?? ""), name);
  }
});

test("images that share a layer share everything below it, so that it is unpacked once", () => {
  for (const layer of Object.keys(programLayers)) {
    const below = imageNames
      .map((name) => catalog[name].layers)
      .filter((layers) => layers.some((each) => each === layer))
      .map((layers) => layers.join(" "));
    assert.equal(new Set(below).size, 1, layer);
  }
});

test("every program that is built is in a layer", () => {
  const placed = Object.values(programLayers).flatMap((placements) => placements.map(({ program }) => program));
  assert.deepEqual(programs.map(({ name }) => name).sort(), placed.sort());
});
