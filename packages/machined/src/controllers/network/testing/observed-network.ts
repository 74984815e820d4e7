import assert from "node:assert/strict";
import { controllerTest, type ControllerTest } from "@talos-ts/cosi/conformance";
import type { Network } from "@talos-ts/linux";
import { testMachine } from "../../internal/testing.ts";
import { addressStatusController } from "../address-status.ts";
import { linkStatusController } from "../link-status.ts";
import { routeStatusController } from "../route-status.ts";
import { routingRuleStatusController } from "../routing-rule-status.ts";

/** A network in memory, and the controllers that show what it has. */
export type ObservedNetwork = ControllerTest & { readonly network: Network };

export function observedNetwork(): ObservedNetwork {
  const machine = testMachine();
  const register = [
    addressStatusController(machine),
    linkStatusController(machine),
    routeStatusController(machine),
    routingRuleStatusController(machine),
  ];
  return { network: machine.linux.networks.here, ...controllerTest({ register }) };
}

/** Creates the link `eth0`, whose peer is up. @returns its index */
export async function createVeth({ network }: ObservedNetwork): Promise<number> {
  const link = await network.createLink({ name: "eth0", info: { kind: "veth", peer: { name: "peer0" } }, up: true });
  const peer = await network.link("peer0");
  assert.ok(link !== undefined && peer !== undefined);
  await network.changeLink(peer.index, { up: true });
  return link.index;
}
