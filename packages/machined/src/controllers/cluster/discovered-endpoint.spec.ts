import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { Endpoint } from "@talos-ts/machinery/resources/k8s";
import { discoveredEndpointController } from "./discovered-endpoint.ts";

const member = (id: string, machineType: "controlplane" | "worker", ...addresses: readonly string[]) =>
  createResource(Member, id, Member.spec({ nodeId: id, machineType, addresses }));

describe("discoveredEndpointController()", () => {
  it("T-42: publishes the addresses of control plane members, in order", async () => {
    await using test = controllerTest({ register: [discoveredEndpointController()] });
    await test.assertSpec(Endpoint, "discovery", { addresses: [], hosts: [] });
    await test.create(
      member("b", "controlplane", "10.5.0.10"),
      member("a", "controlplane", "10.5.0.9"),
      member("w", "worker", "10.5.0.3"),
    );
    await test.assertSpec(Endpoint, "discovery", { addresses: ["10.5.0.9", "10.5.0.10"], hosts: [] });
  });
});
