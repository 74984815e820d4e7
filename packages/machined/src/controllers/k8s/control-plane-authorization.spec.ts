import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { AuthorizationConfig } from "@talos-ts/machinery/resources/k8s";
import { activeResource, testConfig } from "../internal/testing.ts";
import { controlPlaneAuthorizationController } from "./control-plane-authorization.ts";

const config = `version: v1alpha1
machine:
  type: controlplane
cluster:
  controlPlane: {endpoint: "https://10.5.0.2:6443"}
  apiServer:
    authorizationConfig: [{type: Webhook, name: own, webhook: {timeout: 3s}}]
`;

describe("controlPlaneAuthorizationController()", () => {
  it("publishes what the configuration of a control plane says", async () => {
    await using test = controllerTest({ register: [controlPlaneAuthorizationController()] });
    const active = activeResource(config);
    await test.create(active);
    await test.assertResource(AuthorizationConfig, AuthorizationConfig.id, ({ spec }) => {
      assert.deepEqual(spec.config, [
        { type: "Node", name: "node", webhook: {} },
        { type: "RBAC", name: "rbac", webhook: {} },
        { type: "Webhook", name: "own", webhook: { timeout: "3s" } },
      ]);
    });
    await test.remove(active);
    await test.assertNoResource(AuthorizationConfig, AuthorizationConfig.id);
  });
  it("publishes nothing on workers", async () => {
    await using test = controllerTest({ register: [controlPlaneAuthorizationController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.settled();
    await test.assertNoResource(AuthorizationConfig, AuthorizationConfig.id);
  });
});
