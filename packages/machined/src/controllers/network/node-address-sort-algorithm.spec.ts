import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { NodeAddressSortAlgorithm } from "@talos-ts/machinery/resources/network";
import { nodeAddressController } from "./node-address.ts";
import { nodeAddressSortAlgorithmController } from "./node-address-sort-algorithm.ts";
import { activeResource, mainDocument } from "../internal/testing.ts";

const test = () => controllerTest({ register: [nodeAddressController(), nodeAddressSortAlgorithmController()] });

describe("nodeAddressSortAlgorithmController()", () => {
  it("sorts the old way unless the configuration says otherwise", async () => {
    await using kit = test();
    await kit.assertSpec(NodeAddressSortAlgorithm, "default", { algorithm: "v1" });
    await kit.create(activeResource(mainDocument("features:", "  nodeAddressSortAlgorithm: v2")));
    await kit.assertSpec(NodeAddressSortAlgorithm, "default", { algorithm: "v2" });
  });
});
