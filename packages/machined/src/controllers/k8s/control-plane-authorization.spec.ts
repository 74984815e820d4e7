import assert from "node:assert/strict";
import { describe } from "node:test";
import { AuthorizationConfig } from "@talos-ts/machinery/resources/k8s";
import { controlPlaneAuthorizationController } from "./control-plane-authorization.ts";
import { testPublishedConfig } from "./testing/published-config.ts";

const config = `version: v1alpha1
machine:
  type: controlplane
cluster:
  controlPlane: {endpoint: "https://10.5.0.2:6443"}
  apiServer:
    authorizationConfig: [{type: Webhook, name: own, webhook: {timeout: 3s}}]
`;

describe("controlPlaneAuthorizationController()", () => {
  testPublishedConfig({
    controller: controlPlaneAuthorizationController,
    type: AuthorizationConfig,
    config,
    check: ({ spec }) => {
      assert.deepEqual(spec.config, [
        { type: "Node", name: "node", webhook: {} },
        { type: "RBAC", name: "rbac", webhook: {} },
        { type: "Webhook", name: "own", webhook: { timeout: "3s" } },
      ]);
    },
  });
});
