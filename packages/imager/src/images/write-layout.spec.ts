import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isCode } from "@talos-ts/base";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { verifyLayout } from "./verify-layout.ts";
import { writeLayer } from "./write-layer.ts";
import { writeLayout, type LayoutImage, type StoredLayer } from "./write-layout.ts";

async function layer(folder: string, name: string): Promise<StoredLayer> {
  const file = join(folder, name);
  const made = await writeLayer([{ type: "file", path: name, mode: 0o644, content: Buffer.from(name) }], file);
  return { ...made, file };
}

async function layoutIn(folder: string, name: string): Promise<string> {
  const [shared, one, two] = await Promise.all(["shared", "one", "two"].map((each) => layer(folder, each)));
  assert.ok(shared !== undefined && one !== undefined && two !== undefined);
  const image = (reference: string, ...layers: readonly StoredLayer[]): LayoutImage => ({
    reference,
    process: { Entrypoint: ["/one"], User: "65535:65535" },
    labels: {},
    layers,
  });
  const images = [image("registry.example/one:v1", shared, one), image("registry.example/two:v1", shared, two)];
  await writeLayout(join(folder, name), images, "amd64");
  return join(folder, name);
}

test("writeLayout writes a layout whose blobs verify, with shared layers once", async () => {
  await using folder = await temporaryDirectory();
  const layout = await layoutIn(folder.path, "layout");
  const { references, bytes } = await verifyLayout(layout);
  assert.deepEqual(references, ["registry.example/one:v1", "registry.example/two:v1"]);
  assert.ok(bytes > 0);
  // Two manifests, two configurations, three layers.
  assert.equal((await readdir(join(layout, "blobs/sha256"))).length, 7);
});

test("writeLayout gives the same bytes for the same images", async () => {
  await using folder = await temporaryDirectory();
  const index = async (name: string): Promise<string> =>
    readFile(join(await layoutIn(folder.path, name), "index.json"), "utf8");
  assert.equal(await index("a"), await index("b"));
});

test("writeLayout describes the process and the layers as the OCI image specification has them", async () => {
  await using folder = await temporaryDirectory();
  const layout = await layoutIn(folder.path, "layout");
  const blob = async (digest: string): Promise<Record<string, unknown>> =>
    JSON.parse(await readFile(join(layout, "blobs", digest.replace(":", "/")), "utf8")) as Record<string, unknown>;
  const index = JSON.parse(await readFile(join(layout, "index.json"), "utf8")) as {
    readonly manifests: readonly { readonly digest: string; readonly platform: unknown }[];
  };
  const first = index.manifests[0];
  assert.ok(first);
  assert.deepEqual(first.platform, { architecture: "amd64", os: "linux" });
  const manifest = (await blob(first.digest)) as {
    readonly config: { readonly digest: string };
    readonly layers: readonly unknown[];
  };
  assert.equal(manifest.layers.length, 2);
  const config = await blob(manifest.config.digest);
  assert.equal(config["created"], "2026-01-01T00:00:00.000Z");
  assert.deepEqual(config["config"], {
    Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    WorkingDir: "/",
    Entrypoint: ["/one"],
    User: "65535:65535",
    Labels: {},
  });
});

test("verifyLayout names the blob that is not what its name says, and the one that is missing", async () => {
  await using folder = await temporaryDirectory();
  const layout = await layoutIn(folder.path, "layout");
  const damaged = await layer(folder.path, "two");
  const path = join(layout, "blobs", damaged.digest.replace(":", "/"));
  await writeFile(path, "another");
  const names = (err: unknown): boolean => isCode(err, "image/damaged-layout") && err.message.includes(damaged.digest);
  await assert.rejects(verifyLayout(layout), names);
  await assert.rejects(verifyLayout(join(folder.path, "nothing")), (err) => isCode(err, "image/damaged-layout"));
});
