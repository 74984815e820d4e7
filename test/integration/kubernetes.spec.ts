import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { eventually } from "./cluster-support.ts";
import { guides } from "./guides.ts";
import { apiAccess } from "./kubernetes-api-access.ts";
import { troubleshooting } from "./kubernetes-guide.ts";
import { acceptance } from "./kubernetes-acceptance.ts";
import { agreements } from "./kubernetes-agreements.ts";
import { createKubernetesCluster, type KubernetesCluster } from "./kubernetes-support.ts";
import { rollingWork } from "./kubernetes-rolling.ts";
import { workloads } from "./kubernetes-workloads.ts";

/** A version that is upgraded to when everything else is done. */
const otherVersion = "1.36.5";

interface Pod {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly phase: string;
    readonly containerStatuses?: readonly { readonly ready: boolean; readonly restartCount: number }[];
  };
}

describe("Kubernetes on a local cluster", () => {
  let cluster: KubernetesCluster;
  const out = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await cluster.home.talosctl("--nodes", cluster.controlPlane, ...args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const kubectl = (...args: readonly string[]): Promise<string> => cluster.kubectl(...args);
  const systemPods = async (): Promise<readonly Pod[]> =>
    (JSON.parse(await kubectl("get", "pods", "-n", "kube-system", "-o", "json")) as { items: readonly Pod[] }).items;

  before(async () => {
    cluster = await createKubernetesCluster("kubernetes", "10.83.0.0/24", "build", { otherVersion });
  });
  after(() => cluster[Symbol.asyncDispose]());

  it("T-20, T-23: comes up, and says which checks passed", () => {
    const { created } = cluster;
    assert.equal(created.code, 0, `${created.stdout}\n${created.stderr}`);
    const text = `${created.stdout}\n${created.stderr}`;
    for (const check of ["etcd to be healthy", "all k8s nodes to report ready", "coredns to report ready"]) {
      assert.match(text, new RegExp(`waiting for ${check}: OK`));
    }
  });
  it("has every node ready, with pods of every part", async () => {
    const nodes = await kubectl("get", "nodes", "--no-headers");
    assert.match(nodes, /^kubernetes-controlplane-1 +Ready +control-plane /m);
    assert.match(nodes, /^kubernetes-worker-1 +Ready +/m);
    const pods = await systemPods();
    for (const part of [
      /^kube-apiserver-/,
      /^kube-controller-manager-/,
      /^kube-scheduler-/,
      /^kube-proxy-/,
      /^coredns-/,
    ]) {
      const found = pods.filter((pod) => part.test(pod.metadata.name));
      assert.notEqual(found.length, 0, String(part));
      for (const { metadata, status } of found) {
        assert.ok(
          status.containerStatuses?.every(({ ready }) => ready),
          `${metadata.name} is ${status.phase}`,
        );
      }
    }
  });
  it("T-34: tells the members of etcd", async () => {
    assert.match(
      await out("etcd", "members"),
      /kubernetes-controlplane-1 +https:\/\/10\.83\.0\.2:2380 +https:\/\/10\.83\.0\.2:2379 +false/,
    );
  });
  it("T-65, T-68: shows static pods and the containers of Kubernetes", async () => {
    for (const id of ["kube-apiserver", "kube-controller-manager", "kube-scheduler"]) {
      assert.match(await out("get", "staticpods"), new RegExp(` ${id} `));
    }
    assert.match(await out("containers", "-k"), /kube-system\/kube-apiserver-kubernetes-controlplane-1/);
  });
  it("T-25: knows all members without the internet", async () => {
    const members = await out("get", "members");
    assert.match(members, /kubernetes-controlplane-1/);
    assert.match(members, /kubernetes-worker-1/);
  });
  it("T-74: issues a kubeconfig that works", async () => {
    await out("kubeconfig", join(cluster.home.path, "other"), "--merge=false");
    assert.match(await kubectl("--kubeconfig", join(cluster.home.path, "other"), "get", "ns"), /kube-system/);
  });
  it("brings the kubelet back after a restart through the API, and leaves the pods alone", async () => {
    const restarts = async (): Promise<number> =>
      (await systemPods())
        .filter(({ metadata }) => metadata.name.startsWith("kube-proxy-"))
        .flatMap(({ status }) => status.containerStatuses ?? [])
        .reduce((sum, { restartCount }) => sum + restartCount, 0);
    const before = await restarts();
    const { home, worker } = cluster;
    assert.equal((await home.talosctl("--nodes", worker, "service", "kubelet", "restart")).code, 0);
    await eventually(
      async () => (await home.talosctl("--nodes", worker, "service", "kubelet")).stdout,
      (text) => /STATE +Running[^]*HEALTH +OK/.test(text),
    );
    assert.equal(await restarts(), before);
  });

  acceptance(() => cluster);
  agreements(() => cluster);
  workloads(() => cluster);
  apiAccess(() => cluster);
  troubleshooting(() => cluster);
  guides(() => cluster);
  rollingWork(() => cluster, otherVersion);
});
