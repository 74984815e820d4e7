import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ExtraManifestsConfig, Manifest, type ExtraManifestsConfigSpec } from "@talos-ts/machinery/resources/k8s";
import { NetworkStatus } from "@talos-ts/machinery/resources/network";
import { extraManifestController } from "./extra-manifest.ts";

const text =
  "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\n---\nkind: List\nitems: [{apiVersion: v1, kind: Secret, metadata: {name: b}}]\n";
const objects = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } },
  { apiVersion: "v1", kind: "Secret", metadata: { name: "b" } },
];
const online = createResource(
  NetworkStatus,
  NetworkStatus.id,
  NetworkStatus.spec({ addressReady: true, connectivityReady: true }),
);

function config(
  ...extraManifests: readonly Partial<ExtraManifestsConfigSpec["extraManifests"][number]>[]
): ReturnType<typeof createResource> {
  const empty = { name: "", url: "", priority: "99", extraHeaders: {}, inlineManifest: "" };
  const manifests = extraManifests.map((manifest) => Object.assign({ ...empty }, manifest));
  return createResource(ExtraManifestsConfig, ExtraManifestsConfig.id, { extraManifests: manifests });
}

describe("k8s.ExtraManifestController", () => {
  it("reads inline manifests and those behind URLs, after redirects", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/moved") response.writeHead(302, { location: "/real" }).end();
      else response.end(request.headers["x-token"] === "t" ? text : "");
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/moved`;
    await using _server = { [Symbol.asyncDispose]: async () => void server.close() };
    await using test = controllerTest({ register: [extraManifestController({ root: "" })] });
    await test.create(
      online,
      config({ name: url, url, extraHeaders: { "x-token": "t" } }, { name: "mine", inlineManifest: text }),
    );
    await test.assertSpec(Manifest, `99-${url}`, objects);
    await test.assertSpec(Manifest, "99-mine", objects);
  });

  it("names what it cannot read and still takes the rest", async () => {
    await using test = controllerTest({ register: [extraManifestController({ root: "" })] });
    await test.create(
      online,
      config(
        { name: "ftp", url: "ftp://example.org/x" },
        { name: "bad", inlineManifest: "kind: X" },
        { name: "mine", inlineManifest: text },
      ),
    );
    await test.assertSpec(Manifest, "99-mine", objects);
    await test.assertStatus("k8s.ExtraManifestController", ({ lastError }) => {
      assert.match(
        lastError?.error.message ?? "",
        /scheme "ftp:" is not supported.*"bad": an object has no apiVersion or kind/,
      );
    });
  });
});
