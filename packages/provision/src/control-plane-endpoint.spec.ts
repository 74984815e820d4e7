import assert from "node:assert/strict";
import { test } from "node:test";
import { planCluster } from "./cluster-plan.ts";
import { hasLoadBalancer, kubernetesEndpoint } from "./control-plane-endpoint.ts";

test("kubernetesEndpoint is the only control plane, or the load balancer on the gateway", () => {
  const one = planCluster({ controlPlanes: 1, workers: 2 }, "/clusters");
  const three = planCluster({ controlPlanes: 3, workers: 0 }, "/clusters");
  assert.equal(hasLoadBalancer(one), false);
  assert.equal(kubernetesEndpoint(one), "https://10.5.0.2:6443");
  assert.equal(hasLoadBalancer(three), true);
  assert.equal(kubernetesEndpoint(three), "https://10.5.0.1:6443");
});
