import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { ImageCacheConfig, RegistryConfig } from "@talos-ts/machinery/resources/cri";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { criFiles } from "./testing/cri-files.ts";

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const mirror = (name: string, lines: string): string =>
  `apiVersion: v1alpha1\nkind: RegistryMirrorConfig\nname: ${JSON.stringify(name)}\n${lines}`;

const endpoints =
  "endpoints:\n  - url: http://10.5.0.1:5000\n  - url: https://mirror.lan/v2/proxy\n    overridePath: true\n";

describe("registry pipeline", () => {
  it("writes mirrors in their order, without fallback where there is to be none", async () => {
    await using kit = await criFiles();
    const config = activeResource(
      mainDocument(),
      mirror("docker.io", endpoints),
      mirror("reg.lan:5000", `${endpoints}skipFallback: true\n`),
    );
    await kit.create(config);
    await kit.assertResource(RegistryConfig, "registries", ({ spec }) => assert.ok("docker.io" in spec.mirrors));
    await kit.settled();
    const capabilities = ["pull", "resolve"];
    assert.deepEqual(plain(await kit.hostsToml("docker.io")), {
      host: {
        "http://10.5.0.1:5000": { capabilities },
        "https://mirror.lan/v2/proxy": { capabilities, override_path: true },
      },
    });
    assert.deepEqual(plain(await kit.hostsToml("reg.lan_5000_")), {
      server: "https://mirror.lan/v2/proxy",
      capabilities,
      override_path: true,
      host: { "http://10.5.0.1:5000": { capabilities } },
    });
    await kit.remove(config);
    await kit.assertResource(RegistryConfig, "registries", ({ spec }) => assert.deepEqual(spec.mirrors, {}));
    await kit.settled();
    assert.deepEqual(await kit.hosts(), []);
  });
  it("gives credentials to containerd and certificates to those who need them", async () => {
    await using kit = await criFiles();
    const auth = "apiVersion: v1alpha1\nkind: RegistryAuthConfig\nname: reg.lan\nusername: me\npassword: secret\n";
    const tls = "apiVersion: v1alpha1\nkind: RegistryTLSConfig\nname: reg.lan\ninsecureSkipVerify: true\n";
    await kit.create(activeResource(mainDocument(), auth, tls));
    await kit.assertResource(EtcFileSpec, "cri/conf.d/01-registries.part", ({ spec }) =>
      assert.match(spec.contents, /registry\.configs\."reg\.lan"\.auth\]\nusername = "me"\npassword = "secret"/),
    );
    assert.deepEqual(plain(await kit.hostsToml("reg.lan")), { server: "https://reg.lan", skip_verify: true });
  });
  it("puts the image cache before everything once it is ready", async () => {
    await using kit = await criFiles();
    const cache = ImageCacheConfig.spec({ status: "ready", roots: ["/system/imagecache"] });
    await kit.create(
      createResource(ImageCacheConfig, "image-cache", cache),
      activeResource(mirror("reg.lan", endpoints)),
    );
    await kit.assertResource(RegistryConfig, "registries", ({ spec }) => {
      assert.equal(spec.mirrors["*"]?.endpoints[0]?.endpoint, "http://127.0.0.1:3172");
      assert.equal(spec.mirrors["reg.lan"]?.endpoints.length, 3);
    });
  });
});
