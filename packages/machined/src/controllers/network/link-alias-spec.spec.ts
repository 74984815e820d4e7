import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock, type Clock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import type { Linux } from "@talos-ts/linux";
import { LinkAliasSpec, LinkStatus } from "@talos-ts/machinery/resources/network";
import { testMachine } from "../internal/testing.ts";
import { linkAliasSpecController } from "./link-alias-spec.ts";
import { linkStatusController } from "./link-status.ts";
import { cannotOwnNetwork, createOwnNetwork } from "./testing/own-network.ts";

async function story(machine: { readonly linux: Linux; readonly clock: Clock }): Promise<void> {
  await using kit = controllerTest({ register: [linkAliasSpecController(machine), linkStatusController(machine)] });
  const spec = createResource(LinkAliasSpec, "br0", { alias: "inside" });
  await kit.create(spec);
  await machine.linux.networks.here.createLink({ name: "br0", info: { kind: "bridge" } });
  await kit.assertResource(LinkStatus, "br0", (link) => assert.equal(link.spec.alias, "inside"));
  await kit.remove(spec);
  await kit.assertResource(LinkStatus, "br0", (link) => assert.equal(link.spec.alias, ""));
}

describe("linkAliasSpecController()", () => {
  it("sets the alias once the link is there, and takes it away", () => story(testMachine()));
  it("does so in the kernel", { skip: cannotOwnNetwork }, async () => {
    await using own = await createOwnNetwork();
    await story({ linux: own.linux, clock: systemClock });
  });
});
