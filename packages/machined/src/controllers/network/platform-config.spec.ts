import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { SystemInformation } from "@talos-ts/machinery/resources/hardware";
import { AddressSpec, PlatformConfig } from "@talos-ts/machinery/resources/network";
import { MetaKey } from "@talos-ts/machinery/resources/runtime";
import { testMachine } from "../internal/testing.ts";
import { configNamespace } from "./internal/resource-ids.ts";
import { platformConfigApplyController } from "./platform-config-apply.ts";
import { platformConfigController } from "./platform-config.ts";

function start(hostname: string) {
  const network = async () => ({ hostname, resolvers: ["10.5.0.1"], instanceType: "2CPU-4RAM" });
  return controllerTest({ register: [platformConfigController(testMachine({ platform: { network } }))] });
}

function startMetal() {
  const network = async () => ({ hostname: undefined, resolvers: [], instanceType: undefined });
  const machine = testMachine({ platform: { name: "metal", mode: "metal", network } });
  return controllerTest({ register: [platformConfigController(machine), platformConfigApplyController()] });
}

const meta = (value: string) => createResource(MetaKey, "0x0a", MetaKey.spec({ value }));

/** As a person writes it with `talosctl meta write`. */
const fromMeta = `addresses:
    - address: 192.0.2.9/24
      linkName: eth0
      family: inet4
      scope: global
      flags: permanent
      layer: platform
externalIPs:
    - 198.51.100.1
metadata:
    platform: other
    hostname: other
`;

describe("platformConfigController()", () => {
  it("publishes hostname, resolvers and metadata of the platform", async () => {
    await using kit = start("node-1.lan");
    await kit.assertResource(PlatformConfig, "active", ({ spec }) => {
      assert.deepEqual(spec.hostnames, [{ hostname: "node-1", domainname: "lan", layer: "platform" }]);
      assert.deepEqual(spec.resolvers, [{ dnsServers: ["10.5.0.1"], searchDomains: [], layer: "platform" }]);
      assert.equal(spec.metadata?.instanceType, "2CPU-4RAM");
    });
  });
  it("ignores a hostname that is not valid, with a warning", async () => {
    await using kit = start(".lan");
    await kit.assertResource(PlatformConfig, "active", ({ spec }) => assert.deepEqual(spec.hostnames, []));
    assert.ok(kit.logs.some(({ level }) => level === "warn"));
  });
  it("publishes what META says on a machine with hardware of its own, for as long as it says so", async () => {
    await using kit = startMetal();
    const system = SystemInformation.spec({ uuid: "u" });
    await kit.create(meta(fromMeta), createResource(SystemInformation, SystemInformation.id, system));
    await kit.assertResource(
      AddressSpec,
      "platform/eth0/192.0.2.9/24",
      ({ spec }) => assert.equal(spec.layer, "platform"),
      {
        namespace: configNamespace,
      },
    );
    await kit.assertResource(PlatformConfig, "active", ({ spec }) => {
      assert.deepEqual(spec.externalIPs, ["198.51.100.1"]);
      const { platform, hostname, instanceId } = spec.metadata ?? assert.fail();
      assert.deepEqual([platform, hostname, instanceId], ["metal", "", "u"]);
    });
    await kit.remove(meta(fromMeta));
    await kit.assertNoResource(AddressSpec, "platform/eth0/192.0.2.9/24", { namespace: configNamespace });
  });
  it("goes on without what META says when it is no network configuration, with a warning", async () => {
    await using kit = startMetal();
    await kit.create(meta("addresses: [{address: 192.0.2.9/24, layer: odd}]"));
    await kit.settled();
    await kit.assertResource(PlatformConfig, "active", ({ spec }) => assert.deepEqual(spec.addresses, []));
    assert.match(String(kit.logs.find(({ level }) => level === "warn")?.fields?.["error"]), /from META key 0x0a/);
  });
});
