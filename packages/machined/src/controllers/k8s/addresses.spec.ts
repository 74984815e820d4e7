import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Endpoint, NodeIP, NodeIPConfig, NodeStatus, Nodename } from "@talos-ts/machinery/resources/k8s";
import { HostnameStatus, NodeAddress, NodeAddressFilter } from "@talos-ts/machinery/resources/network";
import { activeResource, testConfig } from "../internal/testing.ts";
import { addressFilterController } from "./address-filter.ts";
import { nodeIPConfigController } from "./node-ip-config.ts";
import { nodeIPController } from "./node-ip.ts";
import { nodenameController, nodenameFrom } from "./nodename.ts";
import { staticEndpointController } from "./static-endpoint.ts";

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

describe("nodenameController()", () => {
  it("T-56: makes the node name from the host name", async () => {
    await using test = controllerTest({ register: [nodenameController()] });
    const hostname = HostnameStatus.spec({ hostname: "Foo_1", domainname: "Example.com" });
    await test.create(activeResource(await testConfig("worker")), createResource(HostnameStatus, "hostname", hostname));
    await test.assertSpec(Nodename, "nodename", {
      nodename: "foo-1",
      hostnameVersion: "1",
      skipNodeRegistration: false,
    });
  });
  it("refuses a host name with nothing to keep", () => {
    assert.equal(nodenameFrom("-.a_B.c.-"), "a-b.c");
    assert.throws(() => nodenameFrom("--"), { code: "k8s/bad-nodename" });
  });
});

describe("nodeIPController()", () => {
  it("T-54: takes one address of each family of the services, none of Kubernetes", async () => {
    await using test = controllerTest({ register: [nodeIPConfigController(), nodeIPController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.assertSpec(NodeIPConfig, "kubelet", {
      validSubnets: ["0.0.0.0/0"],
      excludeSubnets: ["10.244.0.0/16", "10.96.0.0/12"],
    });
    const addresses = ["10.244.1.1/24", "10.5.0.3/24", "192.168.1.1/24", "fd00::3/64"];
    await test.create(createResource(NodeAddress, "routed-no-k8s", NodeAddress.spec({ addresses })));
    await test.assertSpec(NodeIP, "kubelet", { addresses: ["10.5.0.3"] });
    await test.update(NodeIPConfig, "kubelet", (spec) => ({ ...spec, validSubnets: ["::/0", "192.168.0.0/16"] }));
    await test.assertSpec(NodeIP, "kubelet", { addresses: ["fd00::3", "192.168.1.1"] });
  });
});

describe("staticEndpointController()", () => {
  it("takes addresses as they are and resolves names", async () => {
    const resolveHost = async () => ["10.5.0.2", "10.5.0.3"];
    await using test = controllerTest({ register: [staticEndpointController({ resolveHost })] });
    const config = activeResource(await testConfig("worker"));
    await test.create(config);
    await test.assertSpec(Endpoint, "controlplane", { addresses: ["10.5.0.2"], hosts: [] });
    await test.remove(config);
    await test.assertNoResource(Endpoint, "controlplane");
    await test.create(activeResource(await testConfig("worker", {}, "https://cp.example.org:6443")));
    await test.assertSpec(Endpoint, "controlplane", { addresses: ["10.5.0.2", "10.5.0.3"], hosts: ["cp.example.org"] });
  });
});
