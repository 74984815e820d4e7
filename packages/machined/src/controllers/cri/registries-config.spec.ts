import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ImageCacheConfig, RegistryConfig } from "@talos-ts/machinery/resources/cri";
import { activeResource } from "../internal/testing.ts";
import { registriesConfigController } from "./registries-config.ts";

const mirror =
  "apiVersion: v1alpha1\nkind: RegistryMirrorConfig\nname: reg.lan\nendpoints:\n  - url: http://10.5.0.1:5000\n";

describe("registriesConfigController()", () => {
  it("publishes mirrors of the configuration, and an empty resource without one", async () => {
    await using test = controllerTest({ register: [registriesConfigController()] });
    await test.assertSpec(RegistryConfig, "registries", RegistryConfig.spec());
    await test.create(activeResource(mirror));
    await test.assertResource(RegistryConfig, "registries", ({ spec }) =>
      assert.deepEqual(spec.mirrors, {
        "reg.lan": { endpoints: [{ endpoint: "http://10.5.0.1:5000", overridePath: false }], skipFallback: false },
      }),
    );
  });
  it("puts the image cache first once it is ready", async () => {
    await using test = controllerTest({ register: [registriesConfigController()] });
    const cache = ImageCacheConfig.spec({ status: "ready", roots: ["/system/imagecache"] });
    await test.create(createResource(ImageCacheConfig, "image-cache", cache), activeResource(mirror));
    await test.assertResource(RegistryConfig, "registries", ({ spec }) => {
      assert.deepEqual(Object.keys(spec.mirrors).toSorted(), ["*", "reg.lan"]);
      assert.equal(spec.mirrors["reg.lan"]?.endpoints[0]?.endpoint, "http://127.0.0.1:3172");
    });
  });
});
