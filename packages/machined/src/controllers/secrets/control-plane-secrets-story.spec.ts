import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { parseCertificate, verifyCertificate } from "@talos-ts/crypto";
import { HostnameStatus, NetworkStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { CertSAN, EtcdSecret, KubernetesDynamicCert, KubernetesSecret } from "@talos-ts/machinery/resources/secrets";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { parse } from "yaml";
import { activeResource, noon, testConfig, testSecrets } from "../internal/testing.ts";
import { etcdCertificatesController } from "./etcd-certificates.ts";
import { kubernetesCertSANsController } from "./kubernetes-cert-sans.ts";
import { kubernetesDynamicCertificatesController } from "./kubernetes-dynamic-certificates.ts";
import { kubernetesKubeconfigsController, kubernetesRefreshMs } from "./kubernetes-kubeconfigs.ts";
import { rootEtcdController } from "./root-etcd.ts";
import { rootKubernetesController } from "./root-kubernetes.ts";

const ready = [
  createResource(NetworkStatus, "status", NetworkStatus.spec({ addressReady: true, hostnameReady: true })),
  createResource(TimeStatus, "node", TimeStatus.spec({ synced: true })),
  createResource(HostnameStatus, "hostname", HostnameStatus.spec({ hostname: "foo", domainname: "example.com" })),
  createResource(NodeAddress, "accumulative-no-k8s", NodeAddress.spec({ addresses: ["10.5.0.2/24"] })),
];

async function start() {
  const clock = createManualClock(noon.getTime());
  const register = [
    rootEtcdController(),
    rootKubernetesController(),
    etcdCertificatesController({ clock }),
    kubernetesCertSANsController(),
    kubernetesKubeconfigsController({ clock }),
    kubernetesDynamicCertificatesController({ clock }),
  ];
  const test = controllerTest({ clock, register });
  const config = activeResource(await testConfig("controlplane", { additionalSans: ["k8s.example.org"] }));
  await test.create(...ready, config);
  return Object.assign(test, { clock, config });
}

describe("secrets of a control plane machine", () => {
  it("T-77: the API server is known by all its names and addresses", async () => {
    await using test = await start();
    await test.assertSpec(CertSAN, "k8s", {
      ips: ["10.5.0.2", "10.96.0.1", "127.0.0.1"],
      dnsNames: [
        "foo",
        "foo.example.com",
        "k8s.example.org",
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        "kubernetes.default.svc.cluster.local",
        "localhost",
      ],
      fqdn: "",
    });
    const { certs } = await testSecrets();
    const { spec } = await test.assertResource(KubernetesDynamicCert, "k8s-dynamic-certs");
    const roots = [parseCertificate(certs.k8s.crt)];
    const at = noon;
    verifyCertificate(parseCertificate(spec.apiServer?.crt ?? ""), {
      roots,
      at,
      usage: "serverAuth",
      host: "10.96.0.1",
    });
    verifyCertificate(parseCertificate(spec.apiServerKubeletClient?.crt ?? ""), { roots, at, usage: "clientAuth" });
    const aggregator = [parseCertificate(certs.k8sAggregator.crt)];
    verifyCertificate(parseCertificate(spec.frontProxy?.crt ?? ""), { roots: aggregator, at, usage: "clientAuth" });
  });

  it("D14: kubeconfigs of components lead to the machine itself, renewed after half a year", async () => {
    await using test = await start();
    const first = await test.assertResource(KubernetesSecret, "k8s-certs");
    const scheduler = parse(first.spec.schedulerKubeconfig) as Record<string, never>;
    assert.deepEqual(scheduler["current-context"], "default@test");
    assert.match(first.spec.schedulerKubeconfig, /server: https:\/\/127\.0\.0\.1:7445/);
    assert.match(first.spec.controllerManagerKubeconfig, /name: system:kube-controller-manager@test/);
    assert.match(first.spec.adminKubeconfig, /server: https:\/\/10\.5\.0\.2:6443/);
    await test.settled();
    for (let day = 0; day < 183; day += 1) {
      await test.clock.advance(24 * 3_600_000);
      await test.settled();
    }
    assert.ok(test.clock.now() - noon.getTime() > kubernetesRefreshMs);
    await test.assertResource(KubernetesSecret, "k8s-certs", ({ metadata }) => assert.equal(metadata.version, 2));
  });

  it("etcd certificates follow the addresses and go with the configuration", async () => {
    await using test = await start();
    const { certs } = await testSecrets();
    const { spec } = await test.assertResource(EtcdSecret, "etcd");
    const server = parseCertificate(spec.etcd?.crt ?? "");
    verifyCertificate(server, {
      roots: [parseCertificate(certs.etcd.crt)],
      at: noon,
      usage: "serverAuth",
      host: "127.0.0.1",
    });
    assert.deepEqual(parseCertificate(spec.etcdPeer?.crt ?? "").dnsNames, ["foo", "foo.example.com"]);
    await test.update(NodeAddress, "accumulative-no-k8s", () => NodeAddress.spec({ addresses: ["10.5.0.9/24"] }));
    await test.assertResource(EtcdSecret, "etcd", (resource) =>
      assert.deepEqual(parseCertificate(resource.spec.etcdPeer?.crt ?? "").ipAddresses, ["10.5.0.9"]),
    );
    await test.remove(test.config);
    await test.assertNoResource(EtcdSecret, "etcd");
    await test.assertNoResource(KubernetesSecret, "k8s-certs");
    await test.assertNoResource(KubernetesDynamicCert, "k8s-dynamic-certs");
    await test.assertNoResource(CertSAN, "k8s");
  });
});
