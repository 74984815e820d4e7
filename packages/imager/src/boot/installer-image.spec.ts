import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { verifyLayout } from "../images/verify-layout.ts";
import { sampleBootImage } from "../testing/boot-image-sample.ts";
import { buildInstallerImage } from "./installer-image.ts";

test("buildInstallerImage() makes an image with boot assets and their manifest", async () => {
  await using folder = await temporaryDirectory();
  const reference = "example.org/installer:v1.13.9";
  const cacheRoot = join(folder.path, "cache");
  const layout = await buildInstallerImage(await sampleBootImage(folder.path), { reference, cacheRoot });
  await verifyLayout(layout);
  const blob = (digest: string): Promise<Buffer> => readFile(join(layout, "blobs", digest.replace(":", "/")));
  const index = JSON.parse(await readFile(join(layout, "index.json"), "utf8")) as {
    readonly manifests: readonly { readonly digest: string; readonly annotations: Readonly<Record<string, string>> }[];
  };
  const [entry] = index.manifests;
  assert.equal(entry?.annotations["org.opencontainers.image.ref.name"], reference);
  const manifest = JSON.parse((await blob(entry.digest)).toString()) as {
    readonly layers: readonly { readonly digest: string }[];
  };
  const tar = zstdDecompressSync(await blob(manifest.layers[0]?.digest ?? "")).toString("latin1");
  for (const name of ["vmlinuz.efi", "systemd-boot.efi", "manifest.json"])
    assert.match(tar, new RegExp(`usr/install/(?:amd64|arm64)/${name.replace(".", "\\.")}`));
  assert.ok(tar.includes("the kernel") && tar.includes('"version": "v1.13.9"'));
});
