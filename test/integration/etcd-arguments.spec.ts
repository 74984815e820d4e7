import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { eventually } from "./cluster-support.ts";
import { isHealthy, out, prepareEtcd, service, untilItWaits, withCluster } from "./etcd-support.ts";

prepareEtcd();

describe("etcd with an argument that it does not know", () => {
  const node = "10.88.0.2";
  withCluster(
    "it-args",
    "10.88.0.0/24",
    "--config-patch-control-plane",
    "cluster: {etcd: {extraArgs: {no-such-flag: '1'}}}",
  );

  it("T-44: is restarted again and again, and its history says so", async () => {
    await untilItWaits(node);
    await out("-n", node, "bootstrap");
    const history = await eventually(
      () => service(node),
      (text) => text.includes("going to restart forever"),
    );
    assert.match(
      history,
      /Error running Containerd\(etcd\), going to restart forever: task "etcd" failed: exit code \d+ \(last log "flag provided but not defined: -no-such-flag"\), next: talosctl logs etcd/,
    );
  });

  it("starts with other settings as soon as there are some", async () => {
    const right = "cluster: {etcd: {extraArgs: {no-such-flag: {$patch: delete}}}}";
    await out("-n", node, "patch", "machineconfig", "--patch", right);
    assert.match(await eventually(() => service(node), isHealthy, 240_000), /Settings changed, starting with the new/);
  });
});
