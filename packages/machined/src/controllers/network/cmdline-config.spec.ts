import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import {
  AddressSpec,
  HostnameSpec,
  LinkStatus,
  OperatorSpec,
  ResolverSpec,
  RouteSpec,
} from "@talos-ts/machinery/resources/network";
import { KernelCmdline } from "@talos-ts/machinery/resources/runtime";
import { cmdlineConfigController } from "./cmdline-config.ts";
import { configNamespace as namespace } from "./internal/resource-ids.ts";
import { operatorConfigController } from "./operator-config.ts";

const cmdline = (text: string) =>
  createResource(KernelCmdline, KernelCmdline.id, KernelCmdline.spec({ cmdline: text }));
const card = (name: string, index: number) =>
  createResource(LinkStatus, name, LinkStatus.spec({ type: "ether", index }));
const start = () =>
  controllerTest({
    register: [cmdlineConfigController(), operatorConfigController({ platform: { mode: "metal" } })],
  });

describe("cmdlineConfigController()", () => {
  it("gives the first network card its address, and takes DHCP away from it", async () => {
    await using kit = start();
    await kit.create(cmdline("ip=10.5.0.2::10.5.0.1:255.255.255.0:node-1::off:10.5.0.1"), card("eth1", 3));
    await kit.create(card("eth0", 2));
    await kit.assertResource(
      AddressSpec,
      "cmdline/eth0/10.5.0.2/24",
      ({ spec }) => assert.equal(spec.layer, "cmdline"),
      { namespace },
    );
    await kit.assertResource(
      RouteSpec,
      "cmdline/inet4/10.5.0.1//1024",
      ({ spec }) => assert.deepEqual([spec.gateway, spec.outLinkName], ["10.5.0.1", "eth0"]),
      { namespace },
    );
    await kit.assertResource(
      ResolverSpec,
      "cmdline/resolvers",
      ({ spec }) => assert.deepEqual(spec.dnsServers, ["10.5.0.1"]),
      { namespace },
    );
    await kit.assertResource(OperatorSpec, "default/dhcp4/eth1", () => undefined, { namespace });
    await kit.assertNoResource(OperatorSpec, "default/dhcp4/eth0", { namespace });
  });
  it("prefers talos.hostname, and warns of what it cannot use", async () => {
    await using kit = start();
    await kit.create(cmdline("ip=10.5.0.2:::255.255.255.0:node-1:eth0:off talos.hostname=other.lan ip=nonsense"));
    await kit.assertResource(
      HostnameSpec,
      "cmdline/hostname",
      ({ spec }) => assert.deepEqual([spec.hostname, spec.domainname], ["other", "lan"]),
      { namespace },
    );
    assert.ok(kit.logs.some(({ level, message }) => level === "warn" && message === "ignoring a kernel argument"));
  });
});
