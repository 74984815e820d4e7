import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { isCode } from "@talos-ts/base";
import { runTool, silent } from "@talos-ts/host";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { extractKubectl } from "./extract-kubectl.ts";
import type { TarEntry } from "./tar-entry.ts";
import { writeLayer } from "./write-layer.ts";
import type { StoredLayer } from "./write-layout.ts";

async function layerOf(folder: string, name: string, ...entries: readonly TarEntry[]): Promise<StoredLayer> {
  const file = join(folder, name);
  return { ...(await writeLayer(entries, file)), file };
}

test("extractKubectl gives a program that is called kubectl, as it decides by its name what it is", async () => {
  await using folder = await temporaryDirectory();
  const content = Buffer.from(`#!/bin/sh\necho "$0"\n#${"x".repeat(3_000_000)}\n`);
  const layer = await layerOf(
    folder.path,
    "layer",
    { type: "file", path: "usr/local/bin/kube-apiserver", mode: 0o755, content },
    { type: "hardlink", path: "usr/local/bin/kubectl", target: "usr/local/bin/kube-apiserver" },
  );
  const path = await extractKubectl(layer, folder.path, silent);
  const { stdout } = await runTool(path, []);
  assert.match(stdout, /\/kubectl\n$/);
});

test("extractKubectl says when a layer does not have it, and leaves nothing behind", async () => {
  await using folder = await temporaryDirectory();
  const layer = await layerOf(folder.path, "layer", { type: "directory", path: "tmp", mode: 0o755 });
  await assert.rejects(extractKubectl(layer, folder.path, silent), (err) => isCode(err, "image/no-kubectl"));
});
