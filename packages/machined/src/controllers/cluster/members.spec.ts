import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Affiliate, DiscoveryConfig, Identity, Info, Member } from "@talos-ts/machinery/resources/cluster";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { APIServerConfig, Endpoint, Nodename } from "@talos-ts/machinery/resources/k8s";
import { KubeSpanConfig, KubeSpanIdentity } from "@talos-ts/machinery/resources/kubespan";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { activeResource, testConfig, testSecrets } from "../internal/testing.ts";
import { affiliateMergeController } from "./affiliate-merge.ts";
import { discoveryConfigController } from "./discovery-config.ts";
import { discoveredEndpointController } from "./discovered-endpoint.ts";
import { clusterInfoController } from "./cluster-info.ts";
import { localAffiliateController } from "./local-affiliate.ts";
import { memberController } from "./member.ts";

const raw = { namespace: "cluster-raw" };
const noKubeSpan = Affiliate.spec({}).kubespan;

describe("discoveryConfigController() and clusterInfoController()", () => {
  it("T-26, T-28: read how and in which cluster to discover", async () => {
    const { cluster } = await testSecrets();
    await using test = controllerTest({ register: [discoveryConfigController(), clusterInfoController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.assertSpec(Info, "current", { clusterId: cluster.id, clusterName: "test" });
    await test.assertResource(DiscoveryConfig, "cluster", ({ spec }) => {
      assert.equal(spec.discoveryEnabled, true);
      assert.equal(spec.registryServiceEnabled, true);
      assert.equal(spec.serviceEndpoint, "discovery.talos.dev:443");
      assert.equal(spec.serviceEndpointInsecure, false);
      assert.equal(Buffer.from(spec.serviceEncryptionKey).toString("base64"), cluster.secret);
      assert.equal(spec.serviceClusterID, cluster.id);
    });
  });
  it("T-27: discover nothing when it is switched off", async () => {
    await using test = controllerTest({ register: [discoveryConfigController()] });
    await test.create(activeResource(await testConfig("worker", { clusterDiscovery: false })));
    await test.assertSpec(DiscoveryConfig, "cluster", DiscoveryConfig.spec({}));
  });
});

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

describe("affiliateMergeController(), memberController(), discoveredEndpointController()", () => {
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
