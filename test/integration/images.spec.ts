import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { runTool } from "@talos-ts/host";
import { buildImages, verifyLayout, type BuiltImages } from "@talos-ts/imager";
import { imageReferences } from "@talos-ts/provision";

const references = imageReferences();
let images: BuiltImages;

// Minutes when nothing is cached, on a machine that has never built images.
before(async () => {
  images = await buildImages({ references });
});

interface Descriptor {
  readonly digest: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

test("the images of a cluster are in one layout whose digests verify", async () => {
  const verified = await verifyLayout(images.layout);
  assert.deepEqual([...verified.references].sort(), Object.values(references).sort());
  assert.ok(verified.bytes < 120e6, `${verified.bytes} bytes`);
});

test("a second build finds the same layout, and takes nothing but the check of its digests", async () => {
  const again = await buildImages({ references });
  assert.deepEqual(again, { ...images, cached: true });
});

test("five images are the same layers of Kubernetes", async () => {
  const read = async <T>(path: string): Promise<T> =>
    JSON.parse(await readFile(join(images.layout, path), "utf8")) as T;
  const index = await read<{ readonly manifests: readonly Descriptor[] }>("index.json");
  const layersOf = async (reference: string): Promise<readonly string[]> => {
    const found = index.manifests.find(
      ({ annotations }) => annotations?.["org.opencontainers.image.ref.name"] === reference,
    );
    assert.ok(found, reference);
    const manifest = await read<{ readonly layers: readonly Descriptor[] }>(`blobs/${found.digest.replace(":", "/")}`);
    return manifest.layers.map(({ digest }) => digest);
  };
  const expected = await layersOf(references.kubelet);
  for (const name of ["apiServer", "controllerManager", "scheduler", "proxy"] as const) {
    assert.deepEqual(await layersOf(references[name]), expected);
  }
});

test("kubectl has the version of the images", async () => {
  const { stdout } = await runTool(images.kubectl, ["version", "--client"]);
  const tag = references.apiServer.slice(references.apiServer.lastIndexOf(":") + 1);
  assert.match(stdout, new RegExp(`^Client Version: ${tag}$`, "m"));
});
