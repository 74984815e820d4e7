import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { rolloutProblem } from "./rollout.ts";

describe("rolloutProblem()", () => {
  const metadata = { name: "kube-proxy", namespace: "kube-system", generation: 2 };
  it("waits until the controller has seen the change", () => {
    const status = { observedGeneration: 1, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 };
    assert.match(rolloutProblem({ kind: "DaemonSet", metadata, status }) ?? "", /not seen/);
  });
  it("waits until every pod of a DaemonSet is replaced and available", () => {
    const status = { observedGeneration: 2, desiredNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 1 };
    assert.equal(rolloutProblem({ kind: "DaemonSet", metadata, status }), "1 of 2 pods are updated, 1 available");
    const done = { ...status, updatedNumberScheduled: 2, numberAvailable: 2 };
    assert.equal(rolloutProblem({ kind: "DaemonSet", metadata, status: done }), undefined);
  });
  it("waits until a Deployment has no pod of its former template", () => {
    const status = { observedGeneration: 2, replicas: 3, updatedReplicas: 2, availableReplicas: 2 };
    const object = { kind: "Deployment", metadata, spec: { replicas: 2 } };
    assert.notEqual(rolloutProblem({ ...object, status }), undefined);
    assert.equal(rolloutProblem({ ...object, status: { ...status, replicas: 2 } }), undefined);
  });
  it("has nothing to wait for in other kinds", () => {
    assert.equal(rolloutProblem({ kind: "ConfigMap", metadata }), undefined);
  });
});
