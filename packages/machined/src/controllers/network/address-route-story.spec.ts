import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AddressSpec, AddressStatus, RouteStatus } from "@talos-ts/machinery/resources/network";
import { addressConfigController } from "./address-config.ts";
import { addressSpecController } from "./address-spec.ts";
import { addressStatusController } from "./address-status.ts";
import { deviceConfigController } from "./device-config.ts";
import { configNamespace } from "./internal/resource-ids.ts";
import { addressMergeController } from "./address-merge.ts";
import { routeMergeController } from "./route-merge.ts";
import { routeConfigController } from "./route-config.ts";
import { routeSpecController } from "./route-spec.ts";
import { routeStatusController } from "./route-status.ts";
import { activeResource, mainDocument, testMachine } from "../internal/testing.ts";

function test() {
  const machine = testMachine();
  const register = [
    addressMergeController(),
    routeMergeController(),
    deviceConfigController(),
    addressConfigController(machine),
    addressSpecController(machine),
    addressStatusController(machine),
    routeConfigController(),
    routeSpecController(machine),
    routeStatusController(machine),
  ];
  return { network: machine.linux.networks.here, ...controllerTest({ register }) };
}

const hostDns = () =>
  createResource(
    AddressSpec,
    "operator/lo/169.254.116.108/32",
    AddressSpec.spec({
      address: "169.254.116.108/32",
      linkName: "lo",
      family: "inet4",
      scope: "host",
      flags: ["permanent"],
      layer: "operator",
    }),
    { namespace: configNamespace },
  );

describe("address pipeline", () => {
  it("puts an address on its link, puts it back when it is taken away, and removes it in the end", async () => {
    await using kit = test();
    const spec = hostDns();
    const id = "lo/169.254.116.108/32";
    await kit.create(spec);
    const { metadata } = await kit.assertResource(AddressStatus, id, (status) =>
      assert.equal(status.spec.scope, "host"),
    );
    await kit.network.deleteAddress({ address: "169.254.116.108/32", linkIndex: 1 });
    await kit.assertResource(AddressStatus, id, (again) => assert.ok(again.metadata.created >= metadata.created));
    await kit.remove(spec);
    await kit.assertNoResource(AddressStatus, id);
    await kit.assertNoResource(AddressSpec, id);
    await kit.create(hostDns());
    await kit.assertResource(AddressStatus, id);
  });
  it("waits for a link that does not exist", async () => {
    await using kit = test();
    const document =
      "apiVersion: v1alpha1\nkind: DummyLinkConfig\nname: dummy0\naddresses:\n  - address: 192.0.2.1/24\n";
    await kit.create(activeResource(mainDocument(), document));
    await kit.assertResource(AddressSpec, "dummy0/192.0.2.1/24");
    await kit.network.createLink({ name: "dummy0", info: { kind: "dummy" }, up: true });
    await kit.assertResource(AddressStatus, "dummy0/192.0.2.1/24", ({ spec }) =>
      assert.equal(spec.broadcast, "192.0.2.255"),
    );
  });
});

describe("route pipeline", () => {
  it("installs routes of the configuration and takes them back", async () => {
    await using kit = test();
    await kit.network.createLink({ name: "dummy0", info: { kind: "dummy" }, up: true });
    const config = activeResource(
      mainDocument(
        "network:",
        "  interfaces:",
        "    - interface: dummy0",
        "      addresses: [192.0.2.1/24]",
        "      routes:",
        "        - network: 0.0.0.0/0",
        "          gateway: 192.0.2.254",
      ),
    );
    await kit.create(config);
    await kit.assertResource(RouteStatus, "inet4/192.0.2.254//1024", ({ spec }) =>
      assert.equal(spec.protocol, "static"),
    );
    await kit.remove(config);
    await kit.assertNoResource(RouteStatus, "inet4/192.0.2.254//1024");
    await kit.assertNoResource(AddressStatus, "dummy0/192.0.2.1/24");
  });
});
