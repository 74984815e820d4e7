import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AddressStatus, LinkStatus, NodeAddress, NodeAddressFilter } from "@talos-ts/machinery/resources/network";
import { addressStatusName } from "./address-status.ts";
import { nodeAddressController } from "./node-address.ts";
import { nodeAddressSortAlgorithmController } from "./node-address-sort-algorithm.ts";

const link = (name: string, index: number) =>
  createResource(LinkStatus, name, LinkStatus.spec({ index, kind: "veth", type: "ether", operationalState: "up" }));

function address(linkName: string, linkIndex: number, prefix: string) {
  const spec = AddressStatus.spec({ address: prefix, linkName, linkIndex, scope: "global" });
  return createResource(AddressStatus, `${linkName}/${prefix}`, spec, { owner: addressStatusName });
}

const test = () => controllerTest({ register: [nodeAddressController(), nodeAddressSortAlgorithmController()] });

const addresses = (kit: ReturnType<typeof test>, id: string, expected: readonly string[]) =>
  kit.assertResource(NodeAddress, id, ({ spec }) => assert.deepEqual(spec.addresses, expected));

describe("nodeAddressController()", () => {
  it("keeps the default while the node has it, and every address that ever was", async () => {
    await using kit = test();
    const first = address("eth0", 2, "10.5.0.2/24");
    await kit.create(link("lo", 1), link("eth0", 2), address("lo", 1, "127.0.0.1/8"), first);
    await addresses(kit, "default", ["10.5.0.2/24"]);
    await addresses(kit, "current", ["10.5.0.2/24"]);
    await kit.create(
      address("eth0", 2, "10.5.0.1/24"),
      address("eth0", 2, "fe80::1/64"),
      address("eth0", 2, "fd00::2/64"),
    );
    await addresses(kit, "current", ["10.5.0.1/24", "10.5.0.2/24", "fd00::2/64"]);
    await addresses(kit, "default", ["10.5.0.2/24"]);
    await kit.remove(first);
    await addresses(kit, "default", ["10.5.0.1/24"]);
    await addresses(kit, "routed", ["10.5.0.1/24", "fd00::2/64"]);
    await addresses(kit, "accumulative", ["10.5.0.1/24", "10.5.0.2/24", "fd00::2/64"]);
  });
  it("counts external addresses as current but not as routed, and leaves links that are down out", async () => {
    await using kit = test();
    await kit.create(link("eth0", 2), address("eth0", 2, "10.5.0.2/24"), address("external", 0, "203.0.113.7/32"));
    await addresses(kit, "current", ["10.5.0.2/24", "203.0.113.7/32"]);
    await addresses(kit, "routed", ["10.5.0.2/24"]);
    await kit.update(LinkStatus, "eth0", (spec) => ({ ...spec, operationalState: "down" as const }));
    await addresses(kit, "current", ["203.0.113.7/32"]);
    await addresses(kit, "accumulative", ["10.5.0.2/24", "203.0.113.7/32"]);
  });
  it("filters all but the default", async () => {
    await using kit = test();
    const pods = NodeAddressFilter.spec({ includeSubnets: [], excludeSubnets: ["10.244.0.0/16"] });
    const filter = createResource(NodeAddressFilter, "no-k8s", pods);
    await kit.create(filter, link("eth0", 2), address("eth0", 2, "10.5.0.2/24"), address("eth0", 2, "10.244.1.1/24"));
    await addresses(kit, "current", ["10.5.0.2/24", "10.244.1.1/24"]);
    await addresses(kit, "current-no-k8s", ["10.5.0.2/24"]);
    await addresses(kit, "routed-no-k8s", ["10.5.0.2/24"]);
    await addresses(kit, "accumulative-no-k8s", ["10.5.0.2/24"]);
    await kit.remove(filter);
    await kit.assertNoResource(NodeAddress, "current-no-k8s");
  });
});
