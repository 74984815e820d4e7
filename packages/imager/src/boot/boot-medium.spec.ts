import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { parseManifest } from "@talos-ts/machinery/boot-assets";
import { sampleBootImage } from "../testing/boot-image-sample.ts";
import { buildBootMedium } from "./boot-medium.ts";

test("buildBootMedium() puts the kernel where firmware looks for it, and a manifest beside it", async () => {
  await using folder = await temporaryDirectory();
  const image = await sampleBootImage(folder.path);
  const cacheRoot = join(folder.path, "cache");
  const path = await buildBootMedium(image, { cacheRoot });
  assert.equal(await buildBootMedium(image, { cacheRoot }), path);
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(1024 ** 2), 0, 1024 ** 2, 0);
  const text = buffer.toString("latin1");
  assert.ok(text.includes("BOOTX64 EFI") && text.includes("the kernel") && text.includes("TALOS-BOOT"));
  const at = text.indexOf("{\n");
  const manifest = parseManifest(text.slice(at, text.indexOf("\0", at)));
  assert.equal(manifest.version, "v1.13.9");
  assert.deepEqual(manifest.files.uki, {
    path: "EFI/BOOT/BOOTX64.EFI",
    size: 10,
    sha256: createHash("sha256").update("the kernel").digest("hex"),
  });
});
