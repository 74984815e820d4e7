import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AddressSpec, HostDNSConfig } from "@talos-ts/machinery/resources/network";
import { configNamespace } from "./internal/resource-ids.ts";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { etcFiles } from "./testing/etc-files.ts";

const hostDns = mainDocument("features:", "  hostDNS:", "    enabled: true", "    forwardKubeDNSToHost: true");

describe("hostDnsConfigController()", () => {
  it("listens for the host only until the cluster's DNS is to be forwarded", async () => {
    await using kit = await etcFiles();
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
