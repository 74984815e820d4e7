import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Affiliate, Member } from "@talos-ts/machinery/resources/cluster";
import { Endpoint } from "@talos-ts/machinery/resources/k8s";
import { affiliateMergeController } from "./affiliate-merge.ts";
import { discoveredEndpointController } from "./discovered-endpoint.ts";
import { memberController } from "./member.ts";

const raw = { namespace: "cluster-raw" };

describe("from affiliates to members and endpoints", () => {
  it("T-25, T-42: make one member of what several registries say, and endpoints of the control plane", async () => {
    const register = [affiliateMergeController(), memberController(), discoveredEndpointController()];
    await using test = controllerTest({ register });
    await test.assertSpec(Endpoint, "discovery", { addresses: [], hosts: [] });
    const one = Affiliate.spec({
      nodeId: "a",
      addresses: ["10.5.0.3"],
      hostname: "cp.local",
      machineType: "controlplane",
    });
    const two = Affiliate.spec({
      nodeId: "a",
      addresses: ["10.5.0.3", "10.5.0.2"],
      nodename: "cp",
      operatingSystem: "Talos (x)",
    });
    const other = Affiliate.spec({ nodeId: "b", addresses: ["10.5.0.9"], nodename: "w", machineType: "worker" });
    const second = createResource(Affiliate, "service/a", two, raw);
    await test.create(
      createResource(Affiliate, "k8s/a", one, raw),
      second,
      createResource(Affiliate, "service/b", other, raw),
    );
    await test.assertResource(Member, "cp", ({ spec }) => {
      assert.deepEqual(spec.addresses, ["10.5.0.3", "10.5.0.2"]);
      assert.deepEqual([spec.hostname, spec.machineType, spec.nodeId], ["cp.local", "controlplane", "a"]);
    });
    await test.assertSpec(Endpoint, "discovery", { addresses: ["10.5.0.2", "10.5.0.3"], hosts: [] });
    await test.assertResource(Member, "w");
    await test.remove(second);
    await test.assertNoResource(Member, "cp");
    await test.assertResource(Affiliate, "a");
    await test.assertSpec(Endpoint, "discovery", { addresses: [], hosts: [] });
  });
});
