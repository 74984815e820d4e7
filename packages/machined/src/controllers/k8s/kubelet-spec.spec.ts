import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MachineType } from "@talos-ts/machinery/resources/config";
import {
  KubeletConfig,
  KubeletSpec,
  NodeIP,
  Nodename,
  StaticPodServerStatus,
  type KubeletConfigSpec,
} from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { kubeletConfiguration } from "./internal/kubelet-configuration.ts";
import { kubeletConfigController } from "./kubelet-config.ts";
import { kubeletSpecController } from "./kubelet-spec.ts";

const facts = { inContainer: true, cgroupVersion: 1 } as const;
const machine = { platform: { mode: "container" }, linux: { cgroups: async () => ({ version: 1 as const }) } } as const;
const url = "http://127.0.0.1:12345";

function kubelet() {
  return controllerTest({
    register: [kubeletConfigController(), kubeletSpecController(machine)],
  });
}

const inputs = [
  createResource(StaticPodServerStatus, StaticPodServerStatus.id, { url }),
  createResource(Nodename, Nodename.id, Nodename.spec({ nodename: "cp-1" })),
  createResource(MachineType, MachineType.id, "controlplane"),
];
const nodeIP = createResource(NodeIP, NodeIP.id, NodeIP.spec({ addresses: ["10.5.0.2", "fd00::2"] }));

describe("kubeletSpecController()", () => {
  it("T-52, T-54, T-56: has the node name and its addresses, and joins by token", async () => {
    await using test = kubelet();
    await test.create(activeResource(await testConfig("controlplane")), ...inputs, nodeIP);
    await test.assertResource(KubeletSpec, "kubelet", ({ spec }) => {
      assert.deepEqual(spec.args, [
        "--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubeconfig",
        "--cert-dir=/var/lib/kubelet/pki",
        "--config=/etc/kubernetes/kubelet.yaml",
        "--hostname-override=cp-1",
        "--kubeconfig=/etc/kubernetes/kubeconfig-kubelet",
        "--node-ip=10.5.0.2,fd00::2",
      ]);
      assert.equal(spec.expectedNodename, "cp-1");
      assert.deepEqual(spec.config["clusterDNS"], ["10.96.0.10"]);
      assert.equal(spec.config["staticPodURL"], url);
    });
  });
  it("waits for addresses unless the configuration names some, and takes names as they are given", async () => {
    await using test = kubelet();
    const config = activeResource(await testConfig("controlplane"));
    await test.create(config, ...inputs);
    await test.assertResource(KubeletConfig, "kubelet");
    await test.settled();
    await test.assertNoResource(KubeletSpec, "kubelet");
    await test.update(KubeletConfig, "kubelet", (spec) => ({
      ...spec,
      extraArgs: { "node-ip": { values: ["1.2.3.4"] }, "hostname-override": { values: ["mine"] } },
      cloudProviderExternal: true,
      skipNodeRegistration: true,
    }));
    await test.assertResource(KubeletSpec, "kubelet", ({ spec }) => {
      assert.deepEqual(spec.args, [
        "--cert-dir=/var/lib/kubelet/pki",
        "--cloud-provider=external",
        "--config=/etc/kubernetes/kubelet.yaml",
        "--hostname-override=mine",
        "--node-ip=1.2.3.4",
      ]);
      assert.equal(spec.expectedNodename, "");
    });
  });
  it("T-55: leaves external addresses to a cloud provider", async () => {
    await using test = kubelet();
    const network = "network: {podSubnets: [10.244.0.0/16], serviceSubnets: [10.96.0.0/12]}";
    const cluster = `cluster: {${network}, externalCloudProvider: {enabled: true}}`;
    const config = `version: v1alpha1\nmachine: {type: controlplane, kubelet: {image: kubelet}}\n${cluster}\n`;
    await test.create(activeResource(config), ...inputs, nodeIP);
    await test.assertResource(KubeletSpec, "kubelet", ({ spec }) => {
      assert.ok(spec.args.includes("--cloud-provider=external"), spec.args.join(" "));
    });
  });
  it("T-50: refuses arguments that the system needs", async () => {
    await using test = kubelet();
    await test.create(activeResource(await testConfig("controlplane")), ...inputs, nodeIP);
    await test.assertResource(KubeletSpec, "kubelet");
    await test.update(KubeletConfig, "kubelet", (spec) => ({ ...spec, extraArgs: { config: { values: ["/x"] } } }));
    await test.assertStatus("k8s.KubeletSpecController", ({ lastError }) =>
      assert.match(String(lastError?.error.message), /extra arg "config" is not allowed/),
    );
  });
});

describe("kubeletConfiguration()", () => {
  const config = (change: Partial<KubeletConfigSpec>): KubeletConfigSpec =>
    KubeletConfig.spec({ staticPodListURL: url, clusterDomain: "cluster.local", ...change });
  it("has our defaults below the fields of the user, and those nobody may change above", () => {
    const made = kubeletConfiguration(
      config({
        extraConfig: { serverTLSBootstrap: true, address: "127.0.0.1", featureGates: { Mine: true } },
        enableFSQuotaMonitoring: true,
        disableManifestsDirectory: true,
        defaultRuntimeSeccompEnabled: true,
      }),
      { ...facts, controlPlane: true },
    );
    assert.equal(made["serverTLSBootstrap"], true);
    assert.equal(made["address"], "127.0.0.1");
    assert.deepEqual(made["featureGates"], { LocalStorageCapacityIsolationFSQuotaMonitoring: true, Mine: true });
    assert.equal(made["failCgroupV1"], false);
    assert.equal(made["oomScoreAdj"], -996);
    assert.equal(made["protectKernelDefaults"], false);
    assert.equal(made["seccompDefault"], true);
    assert.equal("staticPodPath" in made, false);
    assert.deepEqual(made["registerWithTaints"], [
      { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" },
    ]);
    assert.deepEqual(made["authorization"], { mode: "Webhook" });
  });
  it("needs no API server to authorize clients of a node that does not register", () => {
    const made = kubeletConfiguration(config({ skipNodeRegistration: true }), { ...facts, controlPlane: true });
    assert.deepEqual(made["authorization"], { mode: "AlwaysAllow" });
    assert.equal("registerWithTaints" in made, false);
  });
  it("leaves control groups of version 2 and the kernel of a machine to the kubelet", () => {
    const machine = { inContainer: false, cgroupVersion: 2, controlPlane: false } as const;
    const made = kubeletConfiguration(config({}), machine);
    assert.equal("failCgroupV1" in made, false);
    assert.equal(made["protectKernelDefaults"], true);
    assert.equal(made["shutdownGracePeriod"], "30s");
  });
  it("T-50: refuses protected fields", () => {
    const extraConfig = { port: 1, authentication: {} };
    assert.throws(() => kubeletConfiguration(config({ extraConfig }), { ...facts, controlPlane: true }), {
      code: "k8s/protected-field",
      message: /field "authentication" can't be overridden; field "port" can't be overridden/,
    });
  });
});
