import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
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
import { startFakeNode, type FakeNode } from "../../testing/fake-node.ts";

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
    assert.match(err, /none\.tar": there is no such file/);
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
    assert.match(
      (await node.run("image", "talos-bundle", "v1.13.0")).out,
      /^ghcr\.io\/siderolabs\/installer:v1\.13\.0\n/,
    );
  });
  it("makes a cache from a registry, copying nothing twice, and serves it", async () => {
    await writeTestLayout(join(folder, "source"), [{ reference: "reg.test/a:v1", index: true, layers: [{ a: "x" }] }]);
    const layout = await openLayout(join(folder, "source"));
    await using registry = await listen(createRegistryServer({ layouts: () => [layout] }), "127.0.0.1", 0);
    const mirror = `reg.test=http://127.0.0.1:${String(registry.port)}`;
    const cache = join(folder, "cache");
    const make = ["image", "cache-create", "--image-cache-path", cache, "--images", "reg.test/a:v1"];
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
});
