import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { kernelLogWriter } from "./kernel-log-writer.ts";

test("kernelLogWriter() writes one record for each line, and cuts those that are too long", async () => {
  await using folder = await temporaryDirectory();
  const path = join(folder.path, "kmsg");
  const write = kernelLogWriter(path);
  write("[talos] first\nsecond");
  write("x".repeat(5000));
  const [first, second, rest] = (await readFile(path, "utf8")).split("\n");
  assert.equal(first, "<12>[talos] first second");
  assert.ok(Buffer.byteLength(second ?? "") < 1000);
  assert.equal(rest, "");
});
