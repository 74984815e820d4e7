import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AddressStatus, HostnameSpec, PlatformConfig } from "@talos-ts/machinery/resources/network";
import { PlatformMetadata } from "@talos-ts/machinery/resources/runtime";
import { configNamespace as namespace } from "./internal/resource-ids.ts";
import { platformConfigApplyController } from "./platform-config-apply.ts";

const config = (id: string, hostname: string) =>
  createResource(
    PlatformConfig,
    id,
    PlatformConfig.spec({
      hostnames: [HostnameSpec.spec({ hostname, layer: "platform" })],
      externalIPs: ["192.0.2.1"],
      metadata: PlatformMetadata.spec({ platform: "container" }),
    }),
  );

describe("platformConfigApplyController()", () => {
  it("turns the cached configuration into specs until the active one is there", async () => {
    await using kit = controllerTest({ register: [platformConfigApplyController()] });
    const hostname = (name: string) =>
      kit.assertResource(HostnameSpec, "platform/hostname", ({ spec }) => assert.equal(spec.hostname, name), {
        namespace,
      });
    await kit.create(config("cached", "old"));
    await hostname("old");
    await kit.create(config("active", "new"));
    await hostname("new");
    await kit.assertResource(PlatformMetadata, "platformmetadata", ({ spec }) =>
      assert.equal(spec.platform, "container"),
    );
  });
  it("publishes external addresses as addresses that no link has", async () => {
    await using kit = controllerTest({ register: [platformConfigApplyController()] });
    await kit.create(config("active", "a"));
    await kit.assertResource(AddressStatus, "external/192.0.2.1/32", ({ spec }) =>
      assert.deepEqual([spec.linkName, spec.scope], ["external", "global"]),
    );
  });
});
