import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest, type ControllerTest } from "@talos-ts/cosi/conformance";
import { BootstrapManifestsConfig, Manifest } from "@talos-ts/machinery/resources/k8s";
import { KubernetesRootSecret } from "@talos-ts/machinery/resources/secrets";
import { manifestController } from "./manifest.ts";

const everything = BootstrapManifestsConfig.spec({
  server: "https://127.0.0.1:7445",
  clusterDomain: "cluster.local",
  podCIDRs: ["10.244.0.0/16"],
  proxyEnabled: true,
  proxyImage: "registry.k8s.io/kube-proxy:v1.36.4",
  proxyArgs: ["--proxy-mode=nftables"],
  coreDNSEnabled: true,
  coreDNSImage: "registry.k8s.io/coredns/coredns:v1.14.7",
  dnsServiceIP: "10.96.0.10",
  flannelEnabled: true,
  flannelImage: "ghcr.io/siderolabs/flannel:0.28.9",
  flannelKubeServiceHost: "127.0.0.1",
  flannelKubeServicePort: "7445",
  talosAPIServiceEnabled: true,
});

async function rendered(spec: typeof everything): Promise<ControllerTest> {
  const test = controllerTest({ register: [manifestController()] });
  const root = KubernetesRootSecret.spec({ bootstrapTokenID: "abcdef", bootstrapTokenSecret: "0123456789abcdef" });
  await test.create(
    createResource(BootstrapManifestsConfig, BootstrapManifestsConfig.id, spec),
    createResource(KubernetesRootSecret, KubernetesRootSecret.id, root),
  );
  await test.settled();
  return test;
}

async function ids(test: ControllerTest): Promise<readonly string[]> {
  return (await test.state.list(Manifest)).map(({ metadata }) => metadata.id);
}

/** The value at a path through objects and arrays. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((current, key) => (current as Record<string | number, unknown>)[key], value);
}

describe("k8s.ManifestController", () => {
  it("T-71: renders the built-in manifests", async () => {
    await using test = await rendered(everything);
    assert.deepEqual(await ids(test), [
      "00-kubelet-bootstrapping-token",
      "01-csr-approver-role-binding",
      "01-csr-node-bootstrap",
      "01-csr-renewal-role-binding",
      "05-flannel",
      "10-kube-proxy",
      "11-core-dns",
      "11-core-dns-svc",
      "11-kube-config-in-cluster",
      "11-talos-node-rbac-template",
      "13-talos-service-account-crd",
    ]);
  });

  it("D18: binds the group of the bootstrap token", async () => {
    await using test = await rendered(everything);
    await test.assertResource(Manifest, "01-csr-approver-role-binding", ({ spec }) => {
      assert.equal(at(spec, 0, "subjects", 0, "name"), "system:bootstrappers:nodes");
    });
    await test.assertResource(Manifest, "00-kubelet-bootstrapping-token", ({ spec }) => {
      assert.equal(at(spec, 0, "metadata", "name"), "bootstrap-token-abcdef");
      assert.equal(at(spec, 0, "stringData", "auth-extra-groups"), "system:bootstrappers:nodes");
    });
  });

  it("leaves out what is disabled", async () => {
    await using test = await rendered({
      ...everything,
      flannelEnabled: false,
      proxyEnabled: false,
      coreDNSEnabled: false,
      talosAPIServiceEnabled: false,
    });
    assert.deepEqual(await ids(test), [
      "00-kubelet-bootstrapping-token",
      "01-csr-approver-role-binding",
      "01-csr-node-bootstrap",
      "01-csr-renewal-role-binding",
      "11-kube-config-in-cluster",
      "11-talos-node-rbac-template",
    ]);
  });

  it("gives flannel the API server of KubePrism and both families of pods", async () => {
    await using test = await rendered({ ...everything, podCIDRs: ["10.244.0.0/16", "fc00:db8:10::/56"] });
    await test.assertResource(Manifest, "05-flannel", ({ spec }) => {
      assert.deepEqual(JSON.parse(String(at(spec, 3, "data", "net-conf.json"))), {
        Network: "10.244.0.0/16",
        IPv6Network: "fc00:db8:10::/56",
        EnableIPv6: true,
        EnableNFTables: true,
        Backend: { Type: "vxlan", Port: 4789, VNI: 4096 },
      });
      const env = at(spec, 4, "spec", "template", "spec", "containers", 0, "env");
      assert.deepEqual((env as unknown[]).at(-1), { name: "KUBERNETES_SERVICE_PORT", value: "7445" });
    });
  });

  it("offers cluster DNS on the addresses of both families", async () => {
    await using test = await rendered({ ...everything, dnsServiceIPv6: "fc00:db8:20::a" });
    await test.assertResource(Manifest, "11-core-dns-svc", ({ spec }) => {
      assert.deepEqual(at(spec, 0, "spec", "clusterIPs"), ["10.96.0.10", "fc00:db8:20::a"]);
      assert.equal(at(spec, 0, "spec", "ipFamilyPolicy"), "RequireDualStack");
    });
  });
});
