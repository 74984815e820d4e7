import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { addressBytes } from "@talos-ts/base/net";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import type { Linux, Network } from "@talos-ts/linux";
import {
  AddressStatus,
  HostnameSpec,
  OperatorSpec,
  ResolverSpec,
  RouteStatus,
} from "@talos-ts/machinery/resources/network";
import { options } from "../../dhcp/message.ts";
import { startTestDhcpServer } from "../../dhcp/testing.ts";
import { testMachine } from "../internal/testing.ts";
import { addressMergeController } from "./address-merge.ts";
import { addressSpecController } from "./address-spec.ts";
import { addressStatusController } from "./address-status.ts";
import { configNamespace as namespace } from "./internal/resource-ids.ts";
import { linkStatusController } from "./link-status.ts";
import { operatorSpecController } from "./operator-spec.ts";
import { routeMergeController } from "./route-merge.ts";
import { routeSpecController } from "./route-spec.ts";
import { routeStatusController } from "./route-status.ts";
import { cannotOwnNetwork, createOwnNetwork } from "./testing/own-network.ts";

/** @param servers Network with the other end of eth0, which is called srv0. */
async function story(linux: Linux, servers: Network): Promise<void> {
  const machine = { linux, clock: systemClock };
  const far = await servers.link("srv0");
  assert.ok(far);
  await servers.changeLink(far.index, { up: true });
  using server = startTestDhcpServer(await servers.openPackets(far.index), {
    address: "192.0.2.7",
    leaseSeconds: 3600,
    more: new Map([
      [options.router, addressBytes("192.0.2.254")],
      [options.dns, addressBytes("192.0.2.53")],
      [options.hostname, Buffer.from("node-7.example.org")],
    ]),
  });
  const register = [
    addressMergeController(),
    addressSpecController(machine),
    addressStatusController(machine),
    linkStatusController(machine),
    operatorSpecController(machine),
    routeMergeController(),
    routeSpecController(machine),
    routeStatusController(machine),
  ];
  await using kit = controllerTest({ register });
  const operator = createResource(
    OperatorSpec,
    "dhcp4/eth0",
    OperatorSpec.spec({
      operator: "dhcp4",
      linkName: "eth0",
      requireUp: true,
      dhcp4: { routeMetric: 1024, clientIdentifier: { clientIdentifier: "mac" } },
      layer: "configuration",
    }),
  );
  await kit.create(operator);
  await kit.assertResource(AddressStatus, "eth0/192.0.2.7/24");
  await kit.assertResource(RouteStatus, "inet4/192.0.2.254//1024", ({ spec }) => assert.equal(spec.protocol, "dhcp"));
  await kit.assertResource(
    HostnameSpec,
    "dhcp4/eth0/hostname",
    ({ spec }) => assert.deepEqual([spec.hostname, spec.domainname, spec.layer], ["node-7", "example.org", "operator"]),
    { namespace },
  );
  await kit.assertResource(
    ResolverSpec,
    "dhcp4/eth0/resolvers",
    ({ spec }) => assert.deepEqual(spec.dnsServers, ["192.0.2.53"]),
    { namespace },
  );
  assert.equal(server.asked[0]?.options.get(options.clientId)?.length, 7);
  await kit.remove(operator);
  await kit.assertNoResource(RouteStatus, "inet4/192.0.2.254//1024");
  await kit.assertNoResource(AddressStatus, "eth0/192.0.2.7/24");
}

describe("operatorSpecController()", () => {
  it("gets a lease, configures the machine by it, and takes everything back with the operator", async () => {
    const { linux } = testMachine();
    const { here } = linux.networks;
    await here.createLink({ name: "eth0", info: { kind: "veth", peer: { name: "srv0" } }, up: true });
    await story(linux, here);
  });
  it("does so in the kernel", { skip: cannotOwnNetwork }, async () => {
    await using client = await createOwnNetwork();
    await using servers = await createOwnNetwork();
    const peer = { name: "srv0", networkNamespace: { path: servers.path } };
    await client.network.createLink({ name: "eth0", info: { kind: "veth", peer }, up: true });
    await story(client.linux, servers.network);
  });
});
