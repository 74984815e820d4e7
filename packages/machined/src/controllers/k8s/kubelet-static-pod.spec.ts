import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { Nodename, StaticPodStatus } from "@talos-ts/machinery/resources/k8s";
import { KubernetesDynamicCert, KubernetesRootSecret } from "@talos-ts/machinery/resources/secrets";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { issueLeaf } from "@talos-ts/machinery/secrets";
import { testSecrets } from "../internal/testing.ts";
import { goTlsError } from "./internal/go-tls-error.ts";
import { kubeletStaticPodController } from "./kubelet-static-pod.ts";

const now = new Date();

function pod(name: string, source: string, ready: boolean): object {
  return {
    metadata: { name, namespace: "kube-system", annotations: { "kubernetes.io/config.source": source } },
    status: { phase: "Running", conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
  };
}

/** A kubelet with a certificate of its own making that shows its pods to clients of the cluster. */
async function kubelet(pods: () => readonly object[]) {
  const { certs } = await testSecrets();
  const serving = await issueLeaf("apiServer", certs.k8s, { dnsNames: ["cp-1"], ipAddresses: [] }, { now });
  const server = createServer(
    { cert: serving.crt, key: serving.key, ca: certs.k8s.crt, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      assert.equal(request.url, "/pods/?timeout=30s");
      response.end(JSON.stringify({ items: pods() }));
    },
  );
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    crt: serving.crt,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe("kubeletStaticPodController()", () => {
  it("reports static pods of the kubelet as long as it runs", async () => {
    await using root = await temporaryDirectory();
    using server = await kubelet(() => [pod("kube-apiserver-cp-1", "http", true), pod("coredns", "api", true)]);
    await mkdir(join(root.path, "var/lib/kubelet/pki"), { recursive: true });
    await writeFile(join(root.path, "var/lib/kubelet/pki/kubelet.crt"), server.crt);
    await writeFile(join(root.path, "var/lib/kubelet/pki/kubelet-client-current.pem"), "");
    await using test = controllerTest({
      register: [kubeletStaticPodController({ root: root.path, port: server.port })],
    });
    const { certs } = await testSecrets();
    const client = await issueLeaf("apiServerKubeletClient", certs.k8s, undefined, { now });
    await test.create(
      createResource(Nodename, Nodename.id, Nodename.spec({ nodename: "cp-1" })),
      createResource(Service, "kubelet", Service.spec({ running: true })),
      createResource(
        KubernetesRootSecret,
        KubernetesRootSecret.id,
        KubernetesRootSecret.spec({ issuingCA: certs.k8s }),
      ),
      createResource(
        KubernetesDynamicCert,
        KubernetesDynamicCert.id,
        KubernetesDynamicCert.spec({ apiServerKubeletClient: client }),
      ),
    );
    await test.assertSpec(StaticPodStatus, "kube-system/kube-apiserver-cp-1", {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True" }],
    });
    await test.assertNoResource(StaticPodStatus, "kube-system/coredns");
    await test.remove(await test.assertResource(Service, "kubelet"));
    await test.assertNoResource(StaticPodStatus, "kube-system/kube-apiserver-cp-1");
  });
  it("T-59: says what it tried when the kubelet does not answer", async () => {
    await using root = await temporaryDirectory();
    await mkdir(join(root.path, "var/lib/kubelet/pki"), { recursive: true });
    await writeFile(join(root.path, "var/lib/kubelet/pki/kubelet-client-current.pem"), "");
    await using test = controllerTest({ register: [kubeletStaticPodController({ root: root.path, port: 1 })] });
    const { certs } = await testSecrets();
    const client = await issueLeaf("apiServerKubeletClient", certs.k8s, undefined, { now });
    await test.create(
      createResource(Nodename, Nodename.id, Nodename.spec({ nodename: "cp-1" })),
      createResource(Service, "kubelet", Service.spec({ running: true })),
      createResource(
        KubernetesRootSecret,
        KubernetesRootSecret.id,
        KubernetesRootSecret.spec({ issuingCA: certs.k8s }),
      ),
      createResource(
        KubernetesDynamicCert,
        KubernetesDynamicCert.id,
        KubernetesDynamicCert.spec({ apiServerKubeletClient: client }),
      ),
    );
    await test.assertStatus("k8s.KubeletStaticPodController", ({ lastError }) =>
      assert.equal(
        lastError?.error.message,
        'error refreshing pod status: error fetching pod status: Get "https://127.0.0.1:1/pods/?timeout=30s": ' +
          "dial tcp 127.0.0.1:1: connect: connection refused",
      ),
    );
  });
});

describe("goTlsError()", () => {
  it("T-59: says alerts in the words of Go", () => {
    const alert = "error:0A000438:SSL routines:ssl3_read_bytes:tlsv1 alert internal error:SSL alert number 80";
    assert.equal(goTlsError(new Error(alert)), "remote error: tls: internal error");
    assert.equal(goTlsError(new Error("other")), "other");
  });
});
