import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pruneLayouts } from "./prune-layouts.ts";

const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 0, 31);

describe("pruneLayouts()", () => {
  let cacheRoot: string;
  const place = async (kind: string, name: string, days: number, files: Record<string, string>): Promise<string> => {
    const path = join(cacheRoot, kind, name);
    for (const [file, text] of Object.entries(files)) {
      await mkdir(join(path, file, ".."), { recursive: true });
      await writeFile(join(path, file), text);
    }
    const used = new Date(now - days * day);
    await utimes(path, used, used);
    return path;
  };
  const layout = (name: string, days: number, blob: string): Promise<string> =>
    place("images", name, days, { [`blobs/sha256/${blob}`]: "" });
  const layer = (name: string, days: number, digest: string): Promise<string> =>
    place("layers", name, days, { "layer.json": JSON.stringify({ digest: `sha256:${digest}` }), blob: "" });

  before(async () => {
    cacheRoot = await mkdtemp(join(tmpdir(), "prune-"));
    for (const [index, days] of [0, 2, 3, 4, 5, 6].entries()) await layout(`l${index}`, days, `b${index}`);
    for (const index of [0, 3, 4, 5]) await layer(`y${index}`, 9, `b${index}`);
    await layer("young", 0.5, "unknown");
    await layer("stray", 2, "unknown");
  });
  after(() => rm(cacheRoot, { recursive: true }));

  it("keeps the three that were used last, what a cluster uses, and layers that are left in a layout", async () => {
    const removed = await pruneLayouts({ cacheRoot, inUse: [join(cacheRoot, "images/l4")], now });
    assert.deepEqual(removed, ["l3", "l5"]);
    assert.deepEqual((await readdir(join(cacheRoot, "images"))).sort(), ["l0", "l1", "l2", "l4"]);
    assert.deepEqual((await readdir(join(cacheRoot, "layers"))).sort(), ["y0", "y4", "young"]);
  });
  it("has nothing to do the second time, or without a cache", async () => {
    assert.deepEqual(await pruneLayouts({ cacheRoot, inUse: [join(cacheRoot, "images/l4")], now }), []);
    assert.deepEqual(await pruneLayouts({ cacheRoot: join(cacheRoot, "none"), inUse: [], now }), []);
  });
});
