import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock, type Clock } from "@talos-ts/base";
import { controllerTest } from "@talos-ts/cosi/conformance";
import type { Linux } from "@talos-ts/linux";
import { AddressStatus, RouteStatus } from "@talos-ts/machinery/resources/network";
import { activeResource, mainDocument, testMachine } from "../internal/testing.ts";
import { addressConfigController } from "./address-config.ts";
import { addressMergeController } from "./address-merge.ts";
import { addressSpecController } from "./address-spec.ts";
import { addressStatusController } from "./address-status.ts";
import { routeConfigController } from "./route-config.ts";
import { routeMergeController } from "./route-merge.ts";
import { routeSpecController } from "./route-spec.ts";
import { routeStatusController } from "./route-status.ts";
import { cannotOwnNetwork, createOwnNetwork } from "./testing/own-network.ts";

const documents = [
  `apiVersion: v1alpha1
kind: LinkConfig
name: br0
addresses:
  - address: 192.0.2.1/24
  - address: 2001:db8::1/64
routes:
  - destination: 198.51.100.0/24
    gateway: 192.0.2.254
    table: "100"
    mtu: 1300
  - destination: 2001:db8:1::/48
    gateway: 2001:db8::fe
  - destination: 2001:db8:2::/48
`,
  "apiVersion: v1alpha1\nkind: BlackholeRouteConfig\nname: 203.0.113.0/24\nmetric: 500\n",
  "apiVersion: v1alpha1\nkind: BlackholeRouteConfig\nname: 2001:db8:dead::/48\n",
];

const wanted = [
  "100/inet4/192.0.2.254/198.51.100.0/24/1024",
  "br0/inet6/2001:db8::fe/2001:db8:1::/48/1024",
  "br0/inet6//2001:db8:2::/48/1024",
  "inet4//203.0.113.0/24/500",
];

async function story(machine: { readonly linux: Linux; readonly clock: Clock }): Promise<void> {
  const network = machine.linux.networks.here;
  const { platform } = testMachine();
  const bridge = await network.createLink({ name: "br0", info: { kind: "bridge" }, up: true });
  assert.ok(bridge);
  // With its last address a link loses its routes; this one belongs to somebody else as well.
  await network.addAddress({ address: "10.201.0.1/24", linkIndex: bridge.index });
  await network.addRoute({ destination: "10.200.0.0/16", linkIndex: bridge.index, priority: 1024 });
  const register = [
    addressConfigController({ platform }),
    addressMergeController(),
    addressSpecController(machine),
    addressStatusController(machine),
    routeConfigController(),
    routeMergeController(),
    routeSpecController(machine),
    routeStatusController(machine),
  ];
  await using kit = controllerTest({ register });
  const config = activeResource(mainDocument(), ...documents);
  await kit.create(config);
  for (const id of wanted) await kit.assertResource(RouteStatus, id);
  const blackholes = async () => (await network.routes()).filter(({ type }) => type === 6);
  const destinations = (await blackholes())
    .map(({ destination = "" }) => destination)
    .toSorted((a, b) => (a < b ? -1 : 1));
  assert.deepEqual(destinations, ["2001:db8:dead::/48", "203.0.113.0/24"]);
  const changes = await network.monitor({ groups: ["routes"] });
  await network.deleteRoute({ destination: "203.0.113.0/24", priority: 500 });
  for await (const change of changes) {
    if (change.kind === "route" && change.action === "new" && change.route.destination === "203.0.113.0/24") break;
  }
  await kit.remove(config);
  for (const id of wanted) await kit.assertNoResource(RouteStatus, id);
  await kit.assertNoResource(AddressStatus, "br0/192.0.2.1/24");
  assert.deepEqual(await blackholes(), []);
  await kit.assertResource(RouteStatus, "inet4//10.200.0.0/16/1024");
  const made = kit.logs.filter(({ message }) => message === "created route").length;
  assert.ok(made <= wanted.length + 3, `${String(made)} routes were made: a route that is right is made again`);
}

describe("addresses and routes of the configuration", () => {
  it("are made, made again when taken away, and removed without touching those of others", () => story(testMachine()));
  it("do so in the kernel", { skip: cannotOwnNetwork }, async () => {
    await using own = await createOwnNetwork();
    await story({ linux: own.linux, clock: systemClock });
  });
});
