import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RouteStatus } from "@talos-ts/machinery/resources/network";
import { createVeth, observedNetwork } from "./testing/observed-network.ts";

describe("routeStatusController()", () => {
  it("shows routes by gateway and destination, the default route without one", async () => {
    await using kit = observedNetwork();
    const linkIndex = await createVeth(kit);
    await kit.network.addAddress({ address: "10.5.0.2/24", linkIndex });
    await kit.network.addRoute({ gateway: "10.5.0.1", linkIndex, priority: 1024 });
    await kit.assertResource(RouteStatus, "inet4/10.5.0.1//1024", ({ spec }) => {
      assert.equal(spec.dst, "");
      assert.equal(spec.outLinkName, "eth0");
      assert.equal(spec.table, "main");
      assert.equal(spec.type, "unicast");
    });
    await kit.network.deleteRoute({ gateway: "10.5.0.1", linkIndex, priority: 1024 });
    await kit.assertNoResource(RouteStatus, "inet4/10.5.0.1//1024");
  });
});
