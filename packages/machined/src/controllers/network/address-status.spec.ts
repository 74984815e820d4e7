import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AddressStatus } from "@talos-ts/machinery/resources/network";
import { createVeth, observedNetwork } from "./testing/observed-network.ts";

describe("addressStatusController()", () => {
  it("shows addresses by link and prefix", async () => {
    await using kit = observedNetwork();
    const linkIndex = await createVeth(kit);
    await kit.network.addAddress({ address: "10.5.0.2/24", linkIndex });
    await kit.assertResource(AddressStatus, "eth0/10.5.0.2/24", ({ spec }) => {
      assert.equal(spec.linkName, "eth0");
      assert.equal(spec.linkIndex, linkIndex);
      assert.equal(spec.family, "inet4");
      assert.equal(spec.scope, "global");
      assert.deepEqual(spec.flags, ["permanent"]);
    });
    await kit.network.deleteAddress({ address: "10.5.0.2/24", linkIndex });
    await kit.assertNoResource(AddressStatus, "eth0/10.5.0.2/24");
  });
});
