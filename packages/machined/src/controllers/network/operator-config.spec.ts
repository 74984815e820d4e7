import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { LinkStatus, OperatorSpec } from "@talos-ts/machinery/resources/network";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { deviceConfigController } from "./device-config.ts";
import { configNamespace as namespace } from "./internal/resource-ids.ts";
import { operatorConfigController } from "./operator-config.ts";

const card = (name: string, alias = "") =>
  createResource(LinkStatus, name, LinkStatus.spec({ index: 2, alias, type: "ether" }));

const test = (mode: "container" | "metal") =>
  controllerTest({ register: [deviceConfigController(), operatorConfigController({ platform: { mode } })] });

const config = activeResource(
  mainDocument(
    "network:",
    "  interfaces:",
    "    - {interface: eth1, dhcp: true, dhcpOptions: {routeMetric: 7}}",
    "    - {interface: eth2, addresses: [10.0.0.1/24]}",
  ),
  "apiVersion: v1alpha1\nkind: DHCPv4Config\nname: uplink\nclientIdentifier: none\nignoreHostname: true\n",
);

describe("operatorConfigController()", () => {
  it("runs DHCP where the configuration says so, and on cards that it does not mention", async () => {
    await using kit = test("metal");
    await kit.create(card("eth0", "uplink"), card("eth1"), card("eth2"), card("eth3"), config);
    await kit.assertResource(
      OperatorSpec,
      "configuration/dhcp4/eth0",
      ({ spec }) => {
        assert.equal(spec.dhcp4.skipHostnameRequest, true);
        assert.equal(spec.dhcp4.clientIdentifier.clientIdentifier, "none");
      },
      { namespace },
    );
    await kit.assertResource(
      OperatorSpec,
      "configuration/dhcp4/eth1",
      ({ spec }) => assert.equal(spec.dhcp4.routeMetric, 7),
      { namespace },
    );
    await kit.assertResource(OperatorSpec, "default/dhcp4/eth3", undefined, { namespace });
    for (const link of ["eth0", "eth1", "eth2"]) {
      await kit.assertNoResource(OperatorSpec, `default/dhcp4/${link}`, { namespace });
    }
  });
  it("runs DHCPv6 only where the configuration asks for it", async () => {
    await using kit = test("metal");
    await kit.create(
      card("eth0"),
      card("eth1"),
      activeResource(
        mainDocument(
          "network:",
          "  interfaces:",
          "    - {interface: eth1, dhcp: true, dhcpOptions: {routeMetric: 0, ipv4: false, ipv6: true, duidv6: 00:03:00:01}}",
        ),
        "apiVersion: v1alpha1\nkind: DHCPv6Config\nname: eth0\nrouteMetric: 5\n",
      ),
    );
    await kit.assertResource(
      OperatorSpec,
      "configuration/dhcp6/eth0",
      ({ spec }) =>
        assert.deepEqual(spec.dhcp6, {
          routeMetric: 5,
          skipHostnameRequest: false,
          clientIdentifier: { clientIdentifier: "mac", duidRawHex: "" },
        }),
      { namespace },
    );
    await kit.assertResource(
      OperatorSpec,
      "configuration/dhcp6/eth1",
      ({ spec }) => assert.deepEqual(spec.dhcp6.clientIdentifier, { clientIdentifier: "duid", duidRawHex: "00030001" }),
      { namespace },
    );
    await kit.assertNoResource(OperatorSpec, "configuration/dhcp4/eth1", { namespace });
  });
  it("runs it in a container only where the configuration says so", async () => {
    await using kit = test("container");
    await kit.create(card("eth0", "uplink"), card("eth3"), config);
    await kit.assertResource(OperatorSpec, "configuration/dhcp4/eth0", undefined, { namespace });
    await kit.assertNoResource(OperatorSpec, "default/dhcp4/eth3", { namespace });
  });
});
