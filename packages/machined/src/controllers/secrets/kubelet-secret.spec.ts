import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KubeletSecret } from "@talos-ts/machinery/resources/secrets";
import { activeResource, testConfig, testSecrets } from "../internal/testing.ts";
import { kubeletSecretController } from "./kubelet-secret.ts";

describe("kubeletSecretController()", () => {
  it("gives the kubelet the nearest API server and its first credentials", async () => {
    const { certs } = await testSecrets();
    await using test = controllerTest({ register: [kubeletSecretController()] });
    const config = activeResource(await testConfig("worker"));
    await test.create(config);
    await test.assertResource(KubeletSecret, "kubelet", ({ spec }) => {
      assert.equal(spec.endpoint, "https://127.0.0.1:7445");
      assert.deepEqual(spec.acceptedCAs, [{ crt: certs.k8s.crt }]);
    });
    await test.remove(config);
    await test.create(activeResource(await testConfig("controlplane", { kubePrismPort: 0 })));
    await test.assertResource(KubeletSecret, "kubelet", ({ spec }) =>
      assert.equal(spec.endpoint, "https://localhost:6443"),
    );
  });
});
