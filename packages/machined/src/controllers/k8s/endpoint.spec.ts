import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { openWatch, startTestApiServer } from "@talos-ts/kubernetes/testing";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { Endpoint } from "@talos-ts/machinery/resources/k8s";
import { endpointController } from "./endpoint.ts";
import { kubernetesSecretFor } from "./internal/testing-kubernetes.ts";

describe("k8s.EndpointController", () => {
  it("collects the addresses of the Service kubernetes", async () => {
    const slice = (name: string, resourceVersion: string, ...addresses: readonly string[]): object => ({
      metadata: { name, namespace: "default", resourceVersion },
      endpoints: [{ addresses }],
    });
    await using server = await startTestApiServer(({ query }, response) => {
      if (query.get("watch") === null) {
        const empty = { metadata: { name: "none-yet", namespace: "default", resourceVersion: "1" }, endpoints: null };
        return { items: [empty, slice("v4", "1", "10.5.0.3", "10.5.0.2")], metadata: { resourceVersion: "1" } };
      }
      openWatch(response)("ADDED", slice("v6", "2", "fd00::2"));
      return undefined;
    });
    await using test = controllerTest({ register: [endpointController({ clock: systemClock, root: "" })] });
    await test.create(kubernetesSecretFor(server.access), createResource(MachineType, MachineType.id, "controlplane"));
    const addresses = ["10.5.0.2", "10.5.0.3", "fd00::2"];
    await test.assertSpec(Endpoint, Endpoint.ids.apiServer, { addresses, hosts: [] });
  });
});
