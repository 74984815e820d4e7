import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { KubePrismConfig, KubePrismEndpoint } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { kubePrismConfigController } from "./kube-prism-config.ts";
import { kubePrismEndpointsController } from "./kube-prism-endpoints.ts";

describe("k8s.KubePrismEndpointsController", () => {
  it("names cluster endpoint, local server and control plane members once each", async () => {
    await using test = controllerTest({ register: [kubePrismEndpointsController(), kubePrismConfigController()] });
    const member = (id: string, address: string, port?: number): ReturnType<typeof createResource> =>
      createResource(
        Member,
        id,
        Member.spec({ nodeId: id, addresses: [address], controlPlane: port === undefined ? undefined : { port } }),
      );
    await test.create(
      activeResource(await testConfig("controlplane", {}, "https://[fd00::1]:6443")),
      member("cp-2", "10.5.0.3", 6444),
      member("worker-1", "10.5.0.4"),
    );
    const endpoints = [
      { host: "fd00::1", port: 6443 },
      { host: "localhost", port: 6443 },
      { host: "10.5.0.3", port: 6444 },
    ];
    await test.assertSpec(KubePrismEndpoint, KubePrismEndpoint.id, { endpoints });
    await test.assertSpec(KubePrismConfig, KubePrismConfig.id, { host: "127.0.0.1", port: 7445, endpoints });
  });

  it("leaves the local server out on a worker", async () => {
    await using test = controllerTest({ register: [kubePrismEndpointsController()] });
    await test.create(activeResource(await testConfig("worker", {}, "https://cp.example.org")));
    const endpoints = [{ host: "cp.example.org", port: 443 }];
    await test.assertSpec(KubePrismEndpoint, KubePrismEndpoint.id, { endpoints });
  });
});
