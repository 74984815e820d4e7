import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AddressSpec, HostDNSConfig } from "@talos-ts/machinery/resources/network";
import { networkEtcFileController } from "./etc-file.ts";
import { hostDnsConfigController } from "./host-dns-config.ts";
import { configNamespace } from "./internal/resource-ids.ts";
import { networkStatusController } from "./network-status.ts";
import { activeResource, mainDocument, testMachine } from "../internal/testing.ts";

const hostDns = mainDocument("features:", "  hostDNS:", "    enabled: true", "    forwardKubeDNSToHost: true");

async function test() {
  const root = await mkdtemp(join(tmpdir(), "etc-file-"));
  const machine = testMachine({ root });
  const kit = controllerTest({
    register: [networkEtcFileController(machine), hostDnsConfigController(), networkStatusController(machine)],
  });
  return {
    ...kit,
    root,
    async [Symbol.asyncDispose]() {
      await kit.stop();
      await rm(root, { recursive: true });
    },
  };
}

describe("hostDnsConfigController()", () => {
  it("listens for the host only until the cluster's DNS is to be forwarded", async () => {
    await using kit = await test();
    await kit.assertResource(HostDNSConfig, "config", ({ spec }) => {
      assert.equal(spec.enabled, false);
      assert.deepEqual(spec.listenAddresses, ["127.0.0.53:53"]);
    });
    const config = activeResource(hostDns);
    await kit.create(config);
    await kit.assertResource(HostDNSConfig, "config", ({ spec }) => {
      assert.deepEqual(spec.listenAddresses, ["127.0.0.53:53", "169.254.116.108:53"]);
      assert.equal(spec.serviceHostDNSAddress, "169.254.116.108");
    });
    const id = "operator/lo/169.254.116.108/32";
    await kit.assertResource(AddressSpec, id, ({ spec }) => assert.equal(spec.scope, "host"), {
      namespace: configNamespace,
    });
    await kit.remove(config);
    await kit.assertNoResource(AddressSpec, id, { namespace: configNamespace });
  });
});
