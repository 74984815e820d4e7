import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { BootstrapManifestsConfig } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { controlPlaneBootstrapManifestsController } from "./control-plane-bootstrap-manifests.ts";

describe("controlPlaneBootstrapManifestsController()", () => {
  it("T-62: has kube-proxy, cluster DNS and flannel by default, all by way of KubePrism", async () => {
    await using test = controllerTest({ register: [controlPlaneBootstrapManifestsController()] });
    await test.create(activeResource(await testConfig("controlplane")));
    await test.assertResource(BootstrapManifestsConfig, "manifests", ({ spec }) => {
      assert.equal(spec.server, "https://127.0.0.1:7445");
      assert.deepEqual([spec.proxyEnabled, spec.coreDNSEnabled, spec.flannelEnabled], [true, true, true]);
      assert.equal(spec.dnsServiceIP, "10.96.0.10");
      assert.equal(spec.flannelKubeServicePort, "7445");
      assert.deepEqual(spec.proxyArgs, [
        "--cluster-cidr=10.244.0.0/16",
        "--conntrack-max-per-core=0",
        "--hostname-override=$(NODE_NAME)",
        "--kubeconfig=/etc/kubernetes/kubeconfig",
        "--proxy-mode=nftables",
      ]);
    });
  });
  it("leaves out what is disabled, and follows the configuration", async () => {
    await using test = controllerTest({ register: [controlPlaneBootstrapManifestsController()] });
    await test.create(
      activeResource(`version: v1alpha1
machine: {type: controlplane}
cluster:
  controlPlane: {endpoint: "https://cp.lan:6443"}
  network:
    cni: {name: none}
    serviceSubnets: [fd00:10::/112, 10.97.0.0/16]
  proxy: {disabled: true, mode: iptables, extraArgs: {"v": "4"}, image: "registry.k8s.io/kube-proxy:v1.30.1"}
  coreDNS: {disabled: true}
`),
    );
    await test.assertResource(BootstrapManifestsConfig, "manifests", ({ spec }) => {
      assert.equal(spec.server, "https://cp.lan:6443");
      assert.deepEqual([spec.proxyEnabled, spec.coreDNSEnabled, spec.flannelEnabled], [false, false, false]);
      assert.deepEqual([spec.dnsServiceIP, spec.dnsServiceIPv6], ["10.97.0.10", "fd00:10::a"]);
      assert.equal(spec.cniName, "none");
      assert.ok(spec.proxyArgs.includes("--proxy-mode=iptables") && spec.proxyArgs.includes("--v=4"));
    });
  });
});
