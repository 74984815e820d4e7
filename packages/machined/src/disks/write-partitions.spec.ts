import assert from "node:assert/strict";
import { truncate, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { wipeDevice } from "./write-partitions.ts";

test("wipeDevice() clears the beginning and the end, and nothing between", async () => {
  await using folder = await temporaryDirectory();
  const path = join(folder.path, "disk");
  const size = 4 * 1024 ** 2;
  await writeFile(path, Buffer.alloc(size, 1));
  await truncate(path, size);
  await wipeDevice(path, size);
  const bytes = await readFile(path);
  assert.equal(bytes.length, size);
  assert.deepEqual([bytes[0], bytes[1024 ** 2 - 1], bytes[1024 ** 2], bytes[size - 1]], [0, 0, 1, 0]);
});
