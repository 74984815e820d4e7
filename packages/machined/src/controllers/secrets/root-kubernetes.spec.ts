import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KubernetesRootSecret } from "@talos-ts/machinery/resources/secrets";
import { activeResource, testConfig, testSecrets } from "../internal/testing.ts";
import { rootKubernetesController } from "./root-kubernetes.ts";

describe("rootKubernetesController()", () => {
  it("publishes CAs, keys, tokens and endpoints of Kubernetes on control plane machines", async () => {
    const { certs, secrets } = await testSecrets();
    await using test = controllerTest({ register: [rootKubernetesController()] });
    await test.create(activeResource(await testConfig("controlplane", { additionalSans: ["10.9.8.7"] })));
    const [id, secret] = secrets.bootstrapToken.split(".");
    await test.assertResource(KubernetesRootSecret, "k8s", ({ spec }) => {
      assert.deepEqual(
        [spec.name, spec.endpoint, spec.localEndpoint],
        ["test", "https://10.5.0.2:6443", "https://127.0.0.1:7445"],
      );
      assert.deepEqual([spec.apiServerIPs, spec.dnsDomain], [["10.96.0.1"], "cluster.local"]);
      assert.deepEqual([spec.issuingCA, spec.acceptedCAs], [certs.k8s, [{ crt: certs.k8s.crt }]]);
      assert.deepEqual([spec.aggregatorCA, spec.serviceAccount], [certs.k8sAggregator, certs.k8sServiceAccount]);
      assert.deepEqual([spec.bootstrapTokenID, spec.bootstrapTokenSecret], [id, secret]);
      assert.equal(spec.secretboxEncryptionSecret, secrets.secretboxEncryptionSecret);
    });
  });
  it("publishes nothing on workers", async () => {
    await using test = controllerTest({ register: [rootKubernetesController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.settled();
    await test.assertNoResource(KubernetesRootSecret, "k8s");
  });
});
