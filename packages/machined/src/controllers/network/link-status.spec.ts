import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LinkStatus } from "@talos-ts/machinery/resources/network";
import { createVeth, observedNetwork } from "./testing/observed-network.ts";

describe("linkStatusController()", () => {
  it("shows links as they come, change and go", async () => {
    await using kit = observedNetwork();
    await kit.assertResource(LinkStatus, "lo", ({ spec }) => {
      assert.equal(spec.type, "loopback");
      assert.equal(spec.duplex, "Unknown");
    });
    const index = await createVeth(kit);
    await kit.assertResource(LinkStatus, "eth0", ({ spec }) => {
      assert.equal(spec.kind, "veth");
      assert.equal(spec.operationalState, "up");
      assert.equal(spec.linkState, true);
      assert.ok(spec.flags.includes("UP"));
    });
    await kit.network.changeLink(index, { mtu: 1400 });
    await kit.assertResource(LinkStatus, "eth0", ({ spec }) => assert.equal(spec.mtu, 1400));
    await kit.network.deleteLink(index);
    await kit.assertNoResource(LinkStatus, "eth0");
  });
});
