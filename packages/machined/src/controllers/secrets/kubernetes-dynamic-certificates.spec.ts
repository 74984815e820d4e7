import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { parseCertificate, verifyCertificate } from "@talos-ts/crypto";
import { NetworkStatus } from "@talos-ts/machinery/resources/network";
import { CertSAN, KubernetesDynamicCert, KubernetesRootSecret } from "@talos-ts/machinery/resources/secrets";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { noon, testSecrets } from "../internal/testing.ts";
import { kubernetesDynamicCertificatesController } from "./kubernetes-dynamic-certificates.ts";

describe("kubernetesDynamicCertificatesController()", () => {
  it("issues the certificates of the API server once network and clock are ready", async () => {
    const clock = createManualClock(noon.getTime());
    const { certs } = await testSecrets();
    await using test = controllerTest({ clock, register: [kubernetesDynamicCertificatesController({ clock })] });
    const root = KubernetesRootSecret.spec({ issuingCA: certs.k8s, aggregatorCA: certs.k8sAggregator });
    const sans = CertSAN.spec({ ips: ["10.96.0.1"], dnsNames: ["kubernetes"] });
    await test.create(
      createResource(KubernetesRootSecret, "k8s", root),
      createResource(CertSAN, "k8s", sans),
      createResource(NetworkStatus, "status", NetworkStatus.spec({ addressReady: true, hostnameReady: true })),
    );
    await test.settled();
    await test.assertNoResource(KubernetesDynamicCert, "k8s-dynamic-certs");
    await test.create(createResource(TimeStatus, "node", TimeStatus.spec({ synced: true })));
    const { spec } = await test.assertResource(KubernetesDynamicCert, "k8s-dynamic-certs");
    const roots = [parseCertificate(certs.k8s.crt)];
    const server = parseCertificate(spec.apiServer?.crt ?? "");
    verifyCertificate(server, { roots, at: noon, usage: "serverAuth", host: "10.96.0.1" });
    const client = parseCertificate(spec.apiServerKubeletClient?.crt ?? "");
    verifyCertificate(client, { roots, at: noon, usage: "clientAuth" });
    const aggregator = [parseCertificate(certs.k8sAggregator.crt)];
    const proxy = parseCertificate(spec.frontProxy?.crt ?? "");
    verifyCertificate(proxy, { roots: aggregator, at: noon, usage: "clientAuth" });
  });
});
