import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { RouteSpec } from "@talos-ts/machinery/resources/network";
import { testMachine } from "../internal/testing.ts";
import { routeSpecController } from "./route-spec.ts";

describe("routeSpecController()", () => {
  it("adds the route and deletes it with the spec", async () => {
    const machine = testMachine();
    const network = machine.linux.networks.here;
    const link = await network.createLink({ name: "dummy0", info: { kind: "dummy" }, up: true });
    assert.ok(link !== undefined);
    await network.addAddress({ address: "192.0.2.1/24", linkIndex: link.index });
    const gateways = async () => (await network.routes()).map(({ gateway }) => gateway);
    await using kit = controllerTest({ register: [routeSpecController(machine)] });
    const spec = createResource(
      RouteSpec,
      "inet4/192.0.2.254//1024",
      RouteSpec.spec({
        family: "inet4",
        gateway: "192.0.2.254",
        outLinkName: "dummy0",
        table: "main",
        priority: 1024,
        scope: "global",
        type: "unicast",
        protocol: "static",
      }),
    );
    await kit.create(spec);
    await kit.assertResource(RouteSpec, "inet4/192.0.2.254//1024", ({ metadata }) =>
      assert.deepEqual(metadata.finalizers, ["network.RouteSpecController"]),
    );
    await kit.settled();
    assert.ok((await gateways()).includes("192.0.2.254"));
    await kit.remove(spec);
    assert.ok(!(await gateways()).includes("192.0.2.254"));
  });
});
