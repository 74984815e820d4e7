import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { cached, cacheDirectory, cacheKey, keepNewest } from "./cache.ts";

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

test("keepNewest removes older results with all their files", async () => {
  await mkdir(join(root, "aged"));
  for (const [index, name] of ["a", "b", "c"].entries()) {
    for (const extension of [".image", ".json"]) {
      const path = join(root, "aged", name + extension);
      await writeFile(path, "");
      await utimes(path, 1000 + index, 1000 + index);
    }
  }
  await keepNewest(root, "aged", 2, [".image", ".json"]);
  assert.deepEqual(await readdir(join(root, "aged")), ["b.image", "b.json", "c.image", "c.json"]);
});

test("keepNewest removes older folders with all that is in them", async () => {
  for (const [index, name] of ["a", "b"].entries()) {
    const path = join(root, "folders", name);
    await mkdir(join(path, "blobs"), { recursive: true });
    await utimes(path, 1000 + index, 1000 + index);
  }
  await keepNewest(root, "folders", 1, [""]);
  assert.deepEqual(await readdir(join(root, "folders")), ["b"]);
});
