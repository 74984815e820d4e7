import assert from "node:assert/strict";
import { request } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openLayout, type ImageLayout } from "../layout/layout.ts";
import type { Descriptor } from "../manifest.ts";
import { noise, writeTestLayout } from "../testing/write-layout.ts";
import { createRegistryServer, listen } from "./registry-server.ts";
import { parseRange } from "./range.ts";
import { parseRoute } from "./route.ts";

describe("createRegistryServer()", () => {
  let folder: string;
  let layout: ImageLayout;
  let image: Descriptor;
  let server: Awaited<ReturnType<typeof listen>>;
  let url: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "registry-"));
    await writeFile(join(folder, "secret"), "secret");
    const [made] = await writeTestLayout(join(folder, "layout"), [
      { reference: "reg.test/a/b:v1", layers: [{ file: noise("a", 200_000) }] },
    ]);
    assert.ok(made !== undefined);
    image = made;
    layout = await openLayout(join(folder, "layout"));
    server = await listen(createRegistryServer({ layouts: () => [layout] }), "127.0.0.1", 0);
    url = `http://127.0.0.1:${String(server.port)}`;
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it("D2: says that it is well and which protocol it speaks", async () => {
    assert.equal(await (await fetch(`${url}/healthz`)).text(), "ok");
    const base = await fetch(`${url}/v2/`);
    assert.deepEqual([base.status, base.headers.get("docker-distribution-api-version")], [200, "registry/2.0"]);
  });

  it("has manifests by tag and digest, for the registry it stands in for", async () => {
    for (const path of [
      `a/b/manifests/v1?ns=reg.test`,
      `a/b/manifests/${image.digest}?ns=reg.test`,
      "reg.test/a/b/manifests/v1",
    ]) {
      const answer = await fetch(`${url}/v2/${path}`);
      assert.deepEqual([path, answer.status, answer.headers.get("docker-content-digest")], [path, 200, image.digest]);
      assert.equal(answer.headers.get("content-type"), image.mediaType);
      assert.equal((await answer.bytes()).byteLength, image.size);
      const head = await fetch(`${url}/v2/${path}`, { method: "HEAD" });
      assert.deepEqual([head.status, head.headers.get("content-length")], [200, String(image.size)]);
    }
    for (const path of ["a/b/manifests/v2?ns=reg.test", "a/b/manifests/v1?ns=other.test", "a/b/manifests/v1"]) {
      assert.equal((await fetch(`${url}/v2/${path}`)).status, 404, path);
    }
  });

  it("has blobs, whole and in part", async () => {
    const manifest = (await (await fetch(`${url}/v2/a/b/manifests/v1?ns=reg.test`)).json()) as { layers: [Descriptor] };
    const [layer] = manifest.layers;
    const blob = `${url}/v2/a/b/blobs/${layer.digest}`;
    const whole = Buffer.from(await (await fetch(blob)).bytes());
    assert.equal(whole.byteLength, layer.size);
    const part = await fetch(blob, { headers: { range: "bytes=1000-1999" } });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get("content-range"), `bytes 1000-1999/${String(layer.size)}`);
    assert.ok(whole.subarray(1000, 2000).equals(await part.bytes()));
    const rest = await fetch(blob, { headers: { range: `bytes=${String(layer.size - 10)}-` } });
    assert.ok(whole.subarray(-10).equals(await rest.bytes()));
    assert.equal((await fetch(blob, { headers: { range: `bytes=${String(layer.size)}-` } })).status, 416);
    assert.equal((await fetch(`${url}/v2/a/b/blobs/sha256:${"0".repeat(64)}`)).status, 404);
  });

  it("refuses to be written to", async () => {
    const answer = await fetch(`${url}/v2/a/b/blobs/uploads/`, { method: "POST" });
    assert.equal(answer.status, 405);
  });

  it("never leaves the layout, however a path is written", async () => {
    const paths = [
      "/v2/../../secret",
      "/v2/a/blobs/../../../secret",
      "/v2/a/blobs/..%2f..%2f..%2fsecret",
      "/v2/a/blobs/sha256:..%2f..%2fsecret",
      "/v2/a/manifests/..%2f..%2fsecret?ns=reg.test",
      "/v2/..%2f..%2fa/manifests/v1?ns=..%2fb",
      "/v2/%00/manifests/v1",
      "//secret",
    ];
    for (const path of paths) {
      // Not with fetch, which tidies paths before it sends them.
      const status = await new Promise<number | undefined>((resolve, reject) => {
        request({ host: "127.0.0.1", port: server.port, path }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .once("error", reject)
          .end();
      });
      assert.equal(status, 404, path);
    }
  });

  it("notices a new index", async () => {
    assert.equal((await layout.images()).size, 1);
    await writeTestLayout(layout.directory, [
      { reference: "reg.test/a/b:v1", layers: [{ file: "x" }] },
      { reference: "reg.test/c:v1", layers: [{ file: "y" }] },
    ]);
    assert.equal((await fetch(`${url}/v2/c/manifests/v1?ns=reg.test`)).status, 200);
  });

  it("breaks off a damaged blob before its end", async () => {
    const manifest = (await (await fetch(`${url}/v2/c/manifests/v1?ns=reg.test`)).json()) as { layers: [Descriptor] };
    const [layer] = manifest.layers;
    await writeFile(join(layout.directory, "blobs/sha256", layer.digest.slice(7)), "x".repeat(layer.size));
    const blob = fetch(`${url}/v2/c/blobs/${layer.digest}`).then((answer) => answer.bytes());
    await assert.rejects(blob);
  });
});

describe("parseRange()", () => {
  const cases: readonly [string | undefined, string][] = [
    [undefined, "0-99"],
    ["bytes=0-", "0-99"],
    ["bytes=10-19", "10-19"],
    ["bytes=90-200", "90-99"],
    ["bytes=-10", "90-99"],
    ["bytes=-200", "0-99"],
    ["bytes=100-", "none"],
    ["bytes=20-10", "none"],
    ["bytes=1-2,4-5", "0-99"],
    ["lines=1-2", "0-99"],
    ["bytes=-", "0-99"],
  ];
  for (const [header, expected] of cases) {
    it(`${String(header)} is ${expected}`, () => {
      const range = parseRange(header, 100);
      assert.equal(range === undefined ? "none" : `${String(range.start)}-${String(range.end)}`, expected);
    });
  }
});

describe("parseRoute()", () => {
  it("either refuses a target or names things of the right form", () => {
    let state = 3;
    const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    const parts = [
      "/v2/",
      "a",
      "/",
      "..",
      "manifests",
      "blobs",
      "%2f",
      "sha256:",
      "ab".repeat(32),
      "?ns=",
      "reg.test",
      "%",
      ":",
      "@",
      "\0",
    ];
    for (let round = 0; round < 10_000; round += 1) {
      const target = `/v2/${Array.from({ length: random(10) }, () => parts[random(parts.length)]).join("")}`;
      const route = parseRoute(target);
      if (route?.kind === "blob") assert.match(route.digest, /^sha256:[0-9a-f]{64}$/);
      if (route?.kind === "manifest") assert.doesNotMatch(JSON.stringify(route), /\.\.|%|\\u0000/);
    }
  });
});
