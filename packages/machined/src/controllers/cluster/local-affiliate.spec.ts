import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Affiliate, DiscoveryConfig, Identity } from "@talos-ts/machinery/resources/cluster";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { APIServerConfig, Nodename } from "@talos-ts/machinery/resources/k8s";
import { KubeSpanConfig, KubeSpanIdentity } from "@talos-ts/machinery/resources/kubespan";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { activeResource } from "../internal/testing.ts";
import { localAffiliateController } from "./local-affiliate.ts";

const noKubeSpan = Affiliate.spec({}).kubespan;

describe("localAffiliateController()", () => {
  const inputs = [
    createResource(DiscoveryConfig, "cluster", DiscoveryConfig.spec({ discoveryEnabled: true })),
    createResource(Identity, "local", Identity.spec({ nodeId: "me" })),
    createResource(HostnameStatus, "hostname", HostnameStatus.spec({ hostname: "foo", domainname: "example.com" })),
    createResource(Nodename, "nodename", Nodename.spec({ nodename: "foo" })),
    createResource(NodeAddress, "routed-no-k8s", NodeAddress.spec({ addresses: ["10.5.0.2/24"] })),
    createResource(NodeAddress, "current-no-k8s", NodeAddress.spec({ addresses: ["10.5.0.2/24", "fd50::1/128"] })),
    createResource(MachineType, "machine-type", "controlplane"),
  ];

  it("tells who the machine is, until discovery is switched off", async () => {
    await using test = controllerTest({ register: [localAffiliateController()] });
    await test.create(...inputs);
    const spec = {
      nodeId: "me",
      addresses: ["10.5.0.2"],
      hostname: "foo.example.com",
      nodename: "foo",
      operatingSystem: "Talos (v1.13.9)",
      machineType: "controlplane",
      kubespan: noKubeSpan,
      controlPlane: undefined,
    } as const;
    await test.assertSpec(Affiliate, "me", spec);
    await test.create(createResource(APIServerConfig, "kube-apiserver", APIServerConfig.spec({ localPort: 6443 })));
    await test.assertSpec(Affiliate, "me", { ...spec, controlPlane: { port: 6443 } });
    await test.update(DiscoveryConfig, "cluster", (config) => ({ ...config, discoveryEnabled: false }));
    await test.assertNoResource(Affiliate, "me");
  });

  it("T-17: keeps a virtual address to itself, so that nobody takes it for an endpoint of this machine", async () => {
    await using test = controllerTest({ register: [localAffiliateController()] });
    const main = "version: v1alpha1\nmachine: {type: controlplane}\ncluster: {}\n";
    const shared = "apiVersion: v1alpha1\nkind: Layer2VIPConfig\nname: 10.5.0.50\nlink: eth0\n";
    await test.create(activeResource(main, shared), ...inputs);
    await test.update(NodeAddress, "routed-no-k8s", (spec) => ({
      ...spec,
      addresses: ["10.5.0.2/24", "10.5.0.50/32"],
    }));
    await test.settled();
    await test.assertResource(Affiliate, "me", ({ spec }) => assert.deepEqual(spec.addresses, ["10.5.0.2"]));
  });

  it("tells how KubeSpan reaches it", async () => {
    await using test = controllerTest({ register: [localAffiliateController()] });
    const identity = KubeSpanIdentity.spec({ address: "fd50::1/128", publicKey: "key" });
    const config = KubeSpanConfig.spec({ enabled: true, extraEndpoints: ["192.0.2.1:1234"] });
    await test.create(
      ...inputs,
      createResource(KubeSpanIdentity, "local", identity),
      createResource(KubeSpanConfig, "kubespan", config),
    );
    await test.assertResource(Affiliate, "me", ({ spec: { kubespan } }) => {
      assert.deepEqual([kubespan.address, kubespan.publicKey], ["fd50::1", "key"]);
      assert.deepEqual(kubespan.endpoints, ["10.5.0.2:51820", "192.0.2.1:1234"]);
    });
  });
});
