import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { cached, cacheDirectory, cacheKey } from "./cache.ts";

const root = await mkdtemp(join(tmpdir(), "imager-cache-"));
after(() => rm(root, { recursive: true }));

test("cacheDirectory follows XDG_CACHE_HOME", () => {
  assert.equal(cacheDirectory({ XDG_CACHE_HOME: "/x" }), "/x/talos-ts");
  assert.match(cacheDirectory({}), /\/\.cache\/talos-ts$/);
});

test("cacheKey keeps the borders between parts", () => {
  assert.notEqual(cacheKey("ab", "c"), cacheKey("a", "bc"));
  assert.equal(cacheKey("ab", "c"), cacheKey("ab", Buffer.from("c")));
});

test("cached makes a result once", async () => {
  let made = 0;
  const make = async (path: string): Promise<void> => {
    made += 1;
    await writeFile(path, "x");
  };
  assert.equal((await cached(root, "once", "a", make)).hit, false);
  assert.equal((await cached(root, "once", "a", make)).hit, true);
  assert.equal(made, 1);
});

test("cached leaves nothing of a failed attempt", async () => {
  const failing = cached(root, "failed", "a", async (path) => {
    await writeFile(path, "half");
    throw new Error("disk is full");
  });
  await assert.rejects(failing, /disk is full/);
  assert.deepEqual(await readdir(join(root, "failed")), []);
});

test("cached gives concurrent makers one whole result", async () => {
  const make = (path: string): Promise<void> => writeFile(path, "same");
  const [first, second] = await Promise.all([cached(root, "race", "a", make), cached(root, "race", "a", make)]);
  assert.equal(first.path, second.path);
  assert.equal(await readFile(first.path, "utf8"), "same");
  assert.deepEqual(await readdir(join(root, "race")), ["a"]);
});
