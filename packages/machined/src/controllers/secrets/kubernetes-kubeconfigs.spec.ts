import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KubernetesRootSecret, KubernetesSecret } from "@talos-ts/machinery/resources/secrets";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { noon, testSecrets } from "../internal/testing.ts";
import { kubernetesKubeconfigsController } from "./kubernetes-kubeconfigs.ts";

describe("kubernetesKubeconfigsController()", () => {
  it("D14: points components to the machine itself and administrators to the cluster", async () => {
    const clock = createManualClock(noon.getTime());
    const { certs } = await testSecrets();
    await using test = controllerTest({ clock, register: [kubernetesKubeconfigsController({ clock })] });
    const root = createResource(
      KubernetesRootSecret,
      "k8s",
      KubernetesRootSecret.spec({
        name: "test",
        endpoint: "https://10.5.0.2:6443",
        localEndpoint: "https://127.0.0.1:7445",
        issuingCA: certs.k8s,
        acceptedCAs: [{ crt: certs.k8s.crt }],
      }),
    );
    await test.create(root, createResource(TimeStatus, "node", TimeStatus.spec({ synced: true })));
    await test.assertResource(KubernetesSecret, "k8s-certs", ({ spec }) => {
      assert.match(spec.schedulerKubeconfig, /server: https:\/\/127\.0\.0\.1:7445/);
      assert.match(spec.controllerManagerKubeconfig, /name: system:kube-controller-manager@test/);
      assert.match(spec.adminKubeconfig, /server: https:\/\/10\.5\.0\.2:6443/);
      assert.match(spec.localhostAdminKubeconfig, /server: https:\/\/127\.0\.0\.1:7445/);
    });
    await test.remove(root);
    await test.assertNoResource(KubernetesSecret, "k8s-certs");
  });
});
