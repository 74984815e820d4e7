import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@talos-ts/grpc";
import { createRegistryServer, listen, openLayout } from "@talos-ts/oci";
import { writeTestLayout } from "@talos-ts/oci/testing";
import { ContainerdNamespace, ContainerDriver } from "@talos-ts/proto/common/common";
import { ImageServicePullLayerProgress_Status as Status, type ImageService } from "@talos-ts/proto/machine/image";
import type { MachineService } from "@talos-ts/proto/machine/machine";
import { loadConfig } from "@talos-ts/machinery/config";
import { parseAllDocuments } from "yaml";
import { startFakeNode, type FakeNode } from "../../testing/fake-node.ts";
import { mirrorPatch } from "./mirror-patch.ts";

const digest = `sha256:${"ab".repeat(32)}`;
const created = timestampFromMs(Date.UTC(2026, 0, 2, 3, 4, 5));
const asked: unknown[] = [];

const image: ServiceImpl<typeof ImageService> = {
  async *list({ containerd }) {
    asked.push([containerd?.driver, containerd?.namespace]);
    yield { name: "registry.k8s.io/pause:3.10.1", digest, size: 635_000n, createdAt: created, labels: { a: "b" } };
  },
  async *pull({ imageRef }) {
    const progress = { status: Status.EXTRACT_COMPLETE, offset: 10n, total: 10n };
    yield { response: { case: "pullProgress", value: { layerId: digest, progress } } };
    yield { response: { case: "name", value: imageRef } };
  },
  async import(requests) {
    const cases: (string | undefined)[] = [];
    let bytes = 0;
    for await (const { request } of requests) {
      cases.push(request.case);
      if (request.case === "imageChunk") bytes += request.value.bytes.byteLength;
    }
    return { name: `${cases.join()}:${String(bytes)}` };
  },
  remove: ({ imageRef }) => {
    asked.push(imageRef);
    return {};
  },
};

const older: ServiceImpl<typeof MachineService> = {
  async *imageList({ namespace }) {
    yield { name: `older:${String(namespace)}`, digest, size: 1n, createdAt: created };
  },
};

describe("image commands", () => {
  let node: FakeNode;
  let folder: string;
  before(async () => {
    node = await startFakeNode({ image });
    folder = await mkdtemp(join(tmpdir(), "image-"));
  });
  after(async () => {
    await node[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it("T-48: lists the images of a namespace", async () => {
    const { out, code } = await node.run("-n", "127.0.0.1", "image", "ls", "--namespace", "system");
    assert.equal(code, 0);
    const [head = "", row = ""] = out.split("\n");
    assert.match(head, /^NODE +IMAGE +DIGEST +SIZE +LABELS +CREATED$/);
    assert.match(
      row,
      /^127\.0\.0\.1 +registry\.k8s\.io\/pause:3\.10\.1 +sha256:(ab){32} +635 kB +a=b +2026-01-02T03:04:05Z$/,
    );
    assert.deepEqual(asked.pop(), [ContainerDriver.CRI, ContainerdNamespace.NS_SYSTEM]);
    await node.run("-n", "127.0.0.1", "image", "list", "--namespace", "inmem");
    assert.deepEqual(asked.pop(), [ContainerDriver.CONTAINERD, ContainerdNamespace.NS_SYSTEM]);
  });
  it("lists as JSON and YAML", async () => {
    const { out } = await node.run("-n", "127.0.0.1", "image", "list", "-o", "json");
    const [first] = JSON.parse(out) as [{ image: string; size: number }];
    assert.deepEqual([first.image, first.size], ["registry.k8s.io/pause:3.10.1", 635_000]);
    assert.match(
      (await node.run("-n", "127.0.0.1", "images", "l", "-o", "yaml")).out,
      /^- node: 127\.0\.0\.1\n {2}image: /,
    );
  });
  it("T-48: asks a node without the image service in the older way", async () => {
    await using old = await startFakeNode({ machine: older });
    assert.match((await old.run("-n", "127.0.0.1", "image", "list")).out, /older:2/);
    const { code, err } = await old.run("-n", "127.0.0.1", "image", "list", "--namespace", "inmem");
    assert.deepEqual([code, /unimplemented|not implemented/i.test(err)], [1, true]);
  });
  it("pulls with a line per layer", async () => {
    const { out, err } = await node.run("-n", "127.0.0.1", "image", "pull", "reg.test/a:v1");
    assert.equal(out, "");
    assert.equal(err, "127.0.0.1: abababababab: extract complete 10 B\n127.0.0.1: pulled image reg.test/a:v1\n");
  });
  it("sends an archive in pieces", async () => {
    await writeFile(join(folder, "a.tar"), Buffer.alloc(1_000_000));
    const imported = await node.run("-n", "127.0.0.1", "image", "import", join(folder, "a.tar"));
    assert.equal(imported.err, "127.0.0.1: imported containerd,imageChunk,imageChunk:1000000\n");
    const { err } = await node.run("-n", "127.0.0.1", "image", "import", join(folder, "none.tar"));
    assert.match(err, /none\.tar": no such file/);
  });
  it("removes", async () => {
    const { err } = await node.run("-n", "127.0.0.1", "image", "rm", "reg.test/a:v1");
    assert.equal(err, "127.0.0.1: removed reg.test/a:v1\n");
    assert.equal(asked.pop(), "reg.test/a:v1");
  });
  it("prints the references that a cluster needs", async () => {
    const { out } = await node.run("image", "k8s-bundle", "--k8s-version", "1.36.3", "--etcd-version", "v3.6.1");
    const lines = out.trim().split("\n");
    assert.equal(lines.length, 10);
    for (const line of ["registry.k8s.io/kube-apiserver:v1.36.3", "registry.k8s.io/etcd:v3.6.1"])
      assert.ok(lines.includes(line));
  });
  it("prints the images of a release, with extensions and overlays that its registry lists", async () => {
    const overlays = "overlays:\n  - {name: rpi, image: ghcr.io/siderolabs/sbc-rpi:v0.1.0, digest: 'sha256:22'}\n";
    const lists = {
      extensions: { "image-digests": "ghcr.io/siderolabs/gvisor:1@sha256:11\n\n" },
      overlays: { "overlays.yaml": overlays },
    };
    const images = Object.entries(lists).map(([name, files]) => ({
      reference: `ghcr.io/siderolabs/${name}:v1.13.0`,
      layers: [files, { other: "x" }],
    }));
    await writeTestLayout(join(folder, "release"), images);
    const layout = await openLayout(join(folder, "release"));
    await using registry = await listen(createRegistryServer({ layouts: () => [layout] }), "127.0.0.1", 0);
    const list = (...more: readonly string[]) =>
      node.run(
        "image",
        "talos-bundle",
        ...more,
        "--registry-mirror",
        `ghcr.io=http://127.0.0.1:${String(registry.port)}`,
      );
    const { out, err } = await list("v1.13.0");
    const lines = out.trimEnd().split("\n");
    assert.equal(lines[0], "ghcr.io/siderolabs/installer:v1.13.0", err);
    assert.deepEqual(lines.slice(5), [
      "ghcr.io/siderolabs/overlays:v1.13.0",
      "ghcr.io/siderolabs/extensions:v1.13.0",
      "ghcr.io/siderolabs/gvisor:1@sha256:11",
      "ghcr.io/siderolabs/sbc-rpi:v0.1.0@sha256:22",
    ]);
    const fewer = await list("v1.13.0", "--extensions=false", "--overlays=false");
    assert.equal(fewer.out, `${lines.slice(0, 7).join("\n")}\n`);
  });
  it("makes a cache from a registry, copying nothing twice, and serves it", async () => {
    await writeTestLayout(join(folder, "source"), [{ reference: "reg.test/a:v1", index: true, layers: [{ a: "x" }] }]);
    const layout = await openLayout(join(folder, "source"));
    await using registry = await listen(createRegistryServer({ layouts: () => [layout] }), "127.0.0.1", 0);
    const mirror = `reg.test=http://127.0.0.1:${String(registry.port)}`;
    const cache = join(folder, "cache");
    const make = [
      "image",
      "cache-create",
      "--image-cache-path",
      cache,
      "--images",
      "reg.test/a:v1",
      "--cosign-signatures=false",
    ];
    const platform = process.arch === "arm64" ? "linux/arm64" : "linux/amd64";
    const first = await node.run(...make, "--registry-mirror", mirror, "--platform", platform);
    assert.match(first.err, /^1\/1 reg\.test\/a:v1 sha256:[0-9a-f]{64} \(\d+ B\)\n$/);
    assert.match((await node.run(...make, "--registry-mirror", mirror, "--platform", platform)).err, /\(present\)\n$/);
    const copy = await openLayout(cache);
    assert.deepEqual(await copy.images(), await layout.images());
    const served = await node.runUntil(
      (text) => text.includes("serving"),
      "image",
      "cache-serve",
      "--image-cache-path",
      cache,
      "--address",
      "127.0.0.1:0",
    );
    assert.match(served.err, /^serving 1 images on http:\/\/127\.0\.0\.1:\d+\n$/);
  });
  it("makes a flat cache anew with --force, and removes nothing else", async () => {
    const layout = await openLayout(join(folder, "source"));
    await using registry = await listen(createRegistryServer({ layouts: () => [layout] }), "127.0.0.1", 0);
    const mirror = `reg.test=http://127.0.0.1:${String(registry.port)}`;
    const cache = join(folder, "flat");
    const platform = process.arch === "arm64" ? "linux/arm64" : "linux/amd64";
    const make = (path: string, ...more: readonly string[]) =>
      node.run("image", "cache-create", "--image-cache-path", path, "--images", "reg.test/a:v1", ...more);
    const flags = ["--layout", "flat", "--registry-mirror", mirror, "--platform", platform, "--force"];
    const layers = ["--image-layer-cache-path", join(folder, "layers")];
    assert.equal((await make(cache, ...flags, ...layers)).code, 0);
    await writeFile(join(cache, "blob", "old"), "");
    assert.equal((await make(cache, ...flags, ...layers)).code, 0);
    assert.deepEqual((await readdir(cache)).toSorted(), ["blob", "manifests"]);
    assert.ok(!(await readdir(join(cache, "blob"))).includes("old"));
    assert.equal((await readdir(join(folder, "layers"))).length, 2);
    const { err, code } = await make(folder, ...flags);
    assert.equal(code, 1);
    assert.match(err, /there is no image cache in it, but /);
    assert.ok((await readdir(folder)).includes("source"));
    assert.match((await make(cache, "--platform", "linux")).err, /Cannot use "linux" for --platform/);
  });
  it("warns when a registry does not say whether there are signatures, and asks only if told", async () => {
    const layout = await openLayout(join(folder, "source"));
    await using registry = await listen(createRegistryServer({ layouts: () => [layout] }), "127.0.0.1", 0);
    // The mirror knows none, and the registry behind it does not exist.
    const mirror = `reg.test=http://127.0.0.1:${String(registry.port)}`;
    const platform = process.arch === "arm64" ? "linux/arm64" : "linux/amd64";
    const make = ["image", "cache-create", "--image-cache-path", join(folder, "cache"), "--images", "reg.test/a:v1"];
    const words = [...make, "--registry-mirror", mirror, "--platform", platform];
    const asked = await node.run(...words);
    assert.equal(asked.code, 0);
    assert.match(asked.err, /^WARNING: reg\.test\/a:v1: could not ask for signatures: /);
    assert.doesNotMatch((await node.run(...words, "--cosign-signatures=false")).err, /WARNING/);
  });
  it("writes the patch by which nodes ask the cache", async () => {
    const cache = { host: "10.5.0.1", port: 5000, secure: true };
    const documents = parseAllDocuments(mirrorPatch(["docker.io", "ghcr.io"], cache)).map(
      (each) => each.toJS() as unknown,
    );
    const endpoints = [{ url: "https://10.5.0.1:5000" }];
    const named = (name: string) => ({ apiVersion: "v1alpha1", kind: "RegistryMirrorConfig", name, endpoints });
    assert.deepEqual(documents, [named("docker.io"), named("ghcr.io")]);
    loadConfig(mirrorPatch(["docker.io", "ghcr.io"], cache));
    const all = mirrorPatch(["docker.io"], { ...cache, host: "0.0.0.0" });
    assert.doesNotMatch(all, /0\.0\.0\.0|127\.0\.0\.1/);
  });
});
