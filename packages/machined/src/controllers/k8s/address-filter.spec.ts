import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { NodeStatus, Nodename } from "@talos-ts/machinery/resources/k8s";
import { NodeAddressFilter } from "@talos-ts/machinery/resources/network";
import { activeResource, testConfig } from "../internal/testing.ts";
import { addressFilterController } from "./address-filter.ts";

describe("addressFilterController()", () => {
  it("tells addresses of Kubernetes from others, also those Kubernetes gave the node itself", async () => {
    await using test = controllerTest({ register: [addressFilterController()] });
    const config = activeResource(await testConfig("worker"));
    await test.create(config);
    const subnets = ["10.244.0.0/16", "10.96.0.0/12"];
    await test.assertSpec(NodeAddressFilter, "no-k8s", { includeSubnets: [], excludeSubnets: subnets });
    await test.assertSpec(NodeAddressFilter, "only-k8s", { includeSubnets: subnets, excludeSubnets: [] });
    await test.create(
      createResource(Nodename, "nodename", Nodename.spec({ nodename: "foo" })),
      createResource(NodeStatus, "foo", NodeStatus.spec({ nodename: "foo", podCIDRs: ["10.20.0.0/24"] })),
    );
    await test.assertResource(NodeAddressFilter, "no-k8s", ({ spec }) =>
      assert.deepEqual(spec.excludeSubnets, ["10.244.0.0/16", "10.20.0.0/24", "10.96.0.0/12"]),
    );
    await test.remove(config);
    await test.assertNoResource(NodeAddressFilter, "no-k8s");
  });
});
