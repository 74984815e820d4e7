import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { startTestApiServer } from "@talos-ts/kubernetes/testing";
import { KubeletKubeconfig, KubeletSpec, Nodename } from "@talos-ts/machinery/resources/k8s";
import { Diagnostic } from "@talos-ts/machinery/resources/runtime";
import type { KubernetesSecretSpec } from "@talos-ts/machinery/resources/secrets";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { kubeletKubeconfigPath } from "../../k8s/internal/kubernetes-access.ts";
import { kubernetesSecretFor } from "../../k8s/internal/testing-kubernetes.ts";
import { diagnosticsController } from "../diagnostics.ts";
import { kubeletCsrCheck } from "./kubelet-csr-check.ts";

const request = (name: string, username: string, conditions?: readonly object[]): object => ({
  metadata: { name },
  spec: { signerName: "kubernetes.io/kubelet-serving", username },
  status: { conditions },
});

describe("kubeletCsrCheck()", () => {
  it("T-60: names the requests of this node that wait for approval", async () => {
    await using server = await startTestApiServer(() => ({
      items: [
        request("csr-1", "system:node:cp-1"),
        request("csr-2", "system:node:cp-1", [{ type: "Approved" }]),
        request("csr-3", "system:node:other"),
      ],
      metadata: {},
    }));
    await using folder = await temporaryDirectory();
    await mkdir(join(folder.path, "etc/kubernetes"), { recursive: true });
    const { adminKubeconfig } = kubernetesSecretFor(server.access).spec as KubernetesSecretSpec;
    await writeFile(join(folder.path, kubeletKubeconfigPath), adminKubeconfig);
    const clock = createManualClock();
    const check = kubeletCsrCheck({ clock, root: folder.path, probe: async () => "remote error: tls: internal error" });
    await using test = controllerTest({
      register: [diagnosticsController({ clock, root: folder.path, checks: [{ ...check, hysteresisMs: 0 }] })],
    });
    await test.create(
      createResource(Nodename, Nodename.id, Nodename.spec({ nodename: "cp-1" })),
      createResource(KubeletSpec, KubeletSpec.id, KubeletSpec.spec({ args: ["--rotate-server-certificates=true"] })),
      createResource(KubeletKubeconfig, KubeletKubeconfig.id, { hash: "1" }),
      createResource(Service, "kubelet", Service.spec({ running: true })),
    );
    await test.assertSpec(Diagnostic, "kubelet-csr", {
      message: "kubelet server certificate rotation is enabled, but CSR is not approved",
      details: ["kubelet API error: remote error: tls: internal error", "pending CSRs: csr-1"],
    });
    assert.equal(server.requests[0]?.path, "/apis/certificates.k8s.io/v1/certificatesigningrequests");
  });
});
