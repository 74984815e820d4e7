import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { silent } from "@talos-ts/host";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { cachedLayer } from "./layer-cache.ts";
import type { TarEntry } from "./tar-entry.ts";

test("cachedLayer makes a layer once, and again when its bytes are damaged", async () => {
  await using folder = await temporaryDirectory();
  let made = 0;
  const entries = async (): Promise<readonly TarEntry[]> => {
    made += 1;
    return [{ type: "file", path: "a", mode: 0o644, content: Buffer.from("a") }];
  };
  const get = () => cachedLayer({ cacheRoot: folder.path, name: "a", key: "k" }, entries, silent);
  const first = await get();
  assert.deepEqual(await get(), first);
  assert.equal(made, 1);
  await writeFile(first.file, "damaged");
  assert.deepEqual(await get(), first);
  assert.equal(made, 2);
});

test("cachedLayer keeps nothing of a layer that could not be made", async () => {
  await using folder = await temporaryDirectory();
  const fail = () =>
    cachedLayer({ cacheRoot: folder.path, name: "a", key: "k" }, () => Promise.reject(new Error("no")), silent);
  await assert.rejects(fail(), /no/);
  const { digest } = await cachedLayer({ cacheRoot: folder.path, name: "a", key: "k" }, async () => [], silent);
  assert.match(digest, /^sha256:[0-9a-f]{64}$/);
});
