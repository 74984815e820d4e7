import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, isCode } from "@talos-ts/base";
import type { HealthCheck, HealthSubject } from "./check.ts";
import { clusterChecks } from "./checks/index.ts";
import { unmet } from "./failure.ts";
import { runChecks } from "./run-checks.ts";

/** Checks that ask nobody. */
const subject = {} as HealthSubject;

describe("clusterChecks", () => {
  it("T-23: are in the order in which a cluster comes up", () => {
    assert.deepEqual(
      clusterChecks.map(({ name }) => name),
      [
        "etcd to be healthy",
        "etcd members to be consistent across nodes",
        "etcd members to be control plane nodes",
        "apid to be ready",
        "all nodes memory sizes",
        "all nodes disk sizes",
        "no diagnostics",
        "kubelet to be healthy",
        "all nodes to finish boot sequence",
        "all k8s nodes to report",
        "all control plane static pods to be running",
        "all control plane components to be ready",
        "all k8s nodes to report ready",
        "kube-proxy to report ready",
        "coredns to report ready",
        "all k8s nodes to report schedulable",
      ],
    );
  });
});

describe("runChecks()", () => {
  it("T-21: tells each state of a check once, until it passes", async () => {
    const clock = createManualClock();
    let attempts = 0;
    const slow: HealthCheck = {
      name: "etcd to be healthy",
      async check() {
        attempts += 1;
        if (attempts < 4) throw unmet(attempts < 3 ? "no quorum" : "no leader", "talosctl service etcd");
      },
    };
    const skipped: HealthCheck = { name: "kube-proxy to report ready", check: async () => "skipped" };
    const lines: string[] = [];
    const running = runChecks([slow, skipped], subject, {
      signal: new AbortController().signal,
      report: (line) => void lines.push(line),
      clock,
    });
    for (let second = 0; second < 5; second += 1) await clock.advance(1000);
    await running;
    assert.deepEqual(lines, [
      "waiting for etcd to be healthy: ...",
      "waiting for etcd to be healthy: no quorum",
      "waiting for etcd to be healthy: no leader",
      "waiting for etcd to be healthy: OK",
      "waiting for kube-proxy to report ready: ...",
      "waiting for kube-proxy to report ready: SKIP",
    ]);
  });

  it("names the check, the reason and the next command when the time is over", async () => {
    const clock = createManualClock();
    const never: HealthCheck = {
      name: "kubelet to be healthy",
      check: async () => {
        throw unmet("10.5.0.3: not running", "talosctl --nodes 10.5.0.3 service kubelet");
      },
    };
    const running = assert.rejects(
      runChecks([never], subject, {
        signal: new AbortController().signal,
        report: () => undefined,
        clock,
        checkTimeoutMs: 3000,
      }),
      (err) => {
        assert.ok(isCode(err, "health/not-healthy"));
        assert.match(err.message, /kubelet to be healthy: 10\.5\.0\.3: not running/);
        assert.equal(err.next, "talosctl --nodes 10.5.0.3 service kubelet");
        return true;
      },
    );
    for (let second = 0; second < 5; second += 1) await clock.advance(1000);
    await running;
  });
});
