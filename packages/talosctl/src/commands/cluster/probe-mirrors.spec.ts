import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { loadConfig } from "@talos-ts/machinery/config";
import { probeMirrors } from "./probe-mirrors.ts";

const reference = "registry.invalid/team/app:v1";
const unasked = async (): Promise<string> => assert.fail("asked the registry itself");

/** Runs with a registry that has one image, and the paths it was asked for. */
async function withRegistry(use: (url: string, asked: readonly string[]) => Promise<void>): Promise<void> {
  const asked: string[] = [];
  const type = "application/vnd.oci.image.manifest.v1+json";
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType: type, config: {}, layers: [] });
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url?.startsWith("/v2/team/app/manifests/v1") === true)
      response.writeHead(200, { "content-type": type }).end(manifest);
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, asked);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const mirrored = (url: string) =>
  loadConfig(
    `apiVersion: v1alpha1\nkind: RegistryMirrorConfig\nname: registry.invalid\nskipFallback: true\nendpoints:\n  - url: ${url}\n`,
  );

describe("probeMirrors()", () => {
  it("asks a mirror of the configuration for an image of the registry", () =>
    withRegistry(async (url, asked) => {
      const probe = probeMirrors([mirrored(url)], [reference], { probe: unasked, timeoutMs: 60_000 });
      assert.equal(await probe("registry.invalid"), undefined);
      assert.match(asked[0] ?? "", /^\/v2\/team\/app\/manifests\/v1\?ns=registry\.invalid$/);
    }));

  it("tells why when a mirror has no such image", () =>
    withRegistry(async (url) => {
      const probe = probeMirrors([mirrored(url)], ["registry.invalid/other:v1"], { probe: unasked, timeoutMs: 60_000 });
      assert.match((await probe("registry.invalid")) ?? "", /^fails, and so do its mirrors: /);
    }));

  it("asks a registry itself when no configuration says anything about it", async () => {
    const probe = probeMirrors([mirrored("http://127.0.0.1:1")], ["other.invalid/app:v1"], {
      probe: async (host) => `${host} was asked`,
    });
    assert.equal(await probe("other.invalid"), "other.invalid was asked");
  });
});
