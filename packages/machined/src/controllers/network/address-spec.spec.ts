import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AddressSpec } from "@talos-ts/machinery/resources/network";
import { testMachine } from "../internal/testing.ts";
import { addressSpecController } from "./address-spec.ts";

describe("addressSpecController()", () => {
  it("adds the address to its link and deletes it with the spec", async () => {
    const machine = testMachine();
    const network = machine.linux.networks.here;
    const addresses = async () => (await network.addresses()).map(({ address }) => address);
    await using kit = controllerTest({ register: [addressSpecController(machine)] });
    const spec = createResource(
      AddressSpec,
      "lo/192.0.2.1/32",
      AddressSpec.spec({ address: "192.0.2.1/32", linkName: "lo", family: "inet4", scope: "host" }),
    );
    await kit.create(spec);
    await kit.assertResource(AddressSpec, "lo/192.0.2.1/32", ({ metadata }) =>
      assert.deepEqual(metadata.finalizers, ["network.AddressSpecController"]),
    );
    await kit.settled();
    assert.ok((await addresses()).includes("192.0.2.1/32"));
    await kit.remove(spec);
    assert.ok(!(await addresses()).includes("192.0.2.1/32"));
    assert.deepEqual(machine.linux.networks.announced, []);
  });

  it("announces an address that moves between machines when it gets it", async () => {
    const machine = testMachine();
    await using kit = controllerTest({ register: [addressSpecController(machine)] });
    const shared = AddressSpec.spec({
      address: "192.0.2.9/32",
      linkName: "lo",
      family: "inet4",
      flags: ["permanent"],
      announceWithARP: true,
    });
    await kit.create(createResource(AddressSpec, "lo/192.0.2.9/32", shared));
    await kit.settled();
    assert.deepEqual(machine.linux.networks.announced, ["lo 192.0.2.9"]);
  });
});
