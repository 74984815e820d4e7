import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ImageCacheConfig, RegistryConfig } from "@talos-ts/machinery/resources/cri";
import { writeTestLayout } from "@talos-ts/oci/testing";
import { createLogStore } from "../../logs/log-store.ts";
import { createServiceManager } from "../../services/service-manager.ts";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { serviceController } from "../v1alpha1/service.ts";
import { imageCacheConfigController } from "./image-cache-config.ts";
import { registriesConfigController } from "./registries-config.ts";

/** Not the real port: a node on the machine that runs this test may serve it. */
const port = 13_172;
const enabled = activeResource(mainDocument("features: {imageCache: {localEnabled: true}}"));

async function kit(options: { readonly cache: boolean }) {
  const root = await mkdtemp(join(tmpdir(), "image-cache-"));
  const image = { reference: "registry.k8s.io/pause:3.10.1", layers: [{ pause: "x" }] };
  if (options.cache) await writeTestLayout(join(root, "system/imagecache/disk"), [image]);
  const services = createServiceManager();
  const machine = { root, services, logs: createLogStore(), clock: systemClock };
  const register = [
    imageCacheConfigController(machine, { port }),
    registriesConfigController(),
    serviceController(machine),
  ];
  const test = controllerTest({ register });
  return {
    ...test,
    services,
    async [Symbol.asyncDispose]() {
      await test.stop();
      await services.shutdown();
      await rm(root, { recursive: true });
    },
  };
}

describe("imageCacheConfigController()", () => {
  it("serves the layout, and registries stand behind it once it answers", async () => {
    await using test = await kit({ cache: true });
    await test.create(enabled);
    await test.assertSpec(ImageCacheConfig, "image-cache", {
      status: "ready",
      copyStatus: "skipped",
      roots: ["/system/imagecache/disk"],
    });
    await test.assertResource(RegistryConfig, "registries", ({ spec }) => assert.ok("*" in spec.mirrors));
    const url = `http://127.0.0.1:${String(port)}/v2/pause/manifests/3.10.1?ns=registry.k8s.io`;
    assert.equal((await fetch(url, { method: "HEAD" })).status, 200);
  });
  it("ends it when the configuration does not want it any more", async () => {
    await using test = await kit({ cache: true });
    await test.create(enabled);
    await test.assertResource(ImageCacheConfig, "image-cache", ({ spec }) => assert.equal(spec.status, "ready"));
    await test.remove(enabled);
    await test.create(activeResource(mainDocument()));
    await test.assertResource(ImageCacheConfig, "image-cache", ({ spec }) => assert.equal(spec.status, "disabled"));
    assert.deepEqual(test.services.list(), []);
    await test.assertResource(RegistryConfig, "registries", ({ spec }) => assert.deepEqual(spec.mirrors, {}));
  });
  it("says that there is none where none is mounted", async () => {
    await using test = await kit({ cache: false });
    await test.create(enabled);
    await test.assertResource(ImageCacheConfig, "image-cache", ({ spec }) => assert.equal(spec.status, "disabled"));
    assert.deepEqual(test.services.list(), []);
  });
});
