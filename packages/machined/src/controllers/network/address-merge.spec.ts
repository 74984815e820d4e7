import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AddressSpec } from "@talos-ts/machinery/resources/network";
import { configNamespace } from "./internal/resource-ids.ts";
import { addressMergeController } from "./address-merge.ts";

const from = (id: string, spec: Parameters<typeof AddressSpec.spec>[0]) =>
  createResource(AddressSpec, id, AddressSpec.spec(spec), { namespace: configNamespace });

describe("addressMergeController()", () => {
  it("takes the highest layer per link and address, and follows its removal", async () => {
    await using kit = controllerTest({ register: [addressMergeController()] });
    const address = { linkName: "eth0", address: "10.5.0.2/24" };
    const configured = from("configuration/a", { ...address, priority: 7, layer: "configuration" });
    await kit.create(from("default/a", { ...address, layer: "default" }), configured);
    await kit.create(from("platform/b", { ...address, linkName: "eth1", layer: "platform" }));
    await kit.assertSpec(AddressSpec, "eth0/10.5.0.2/24", configured.spec);
    await kit.assertResource(AddressSpec, "eth1/10.5.0.2/24");
    await kit.remove(configured);
    await kit.assertSpec(AddressSpec, "eth0/10.5.0.2/24", AddressSpec.spec({ ...address, layer: "default" }));
  });
});
