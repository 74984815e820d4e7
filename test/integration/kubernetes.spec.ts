import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { planCluster, type ClusterPlan } from "@talos-ts/provision";
import { createHome, eventually, type CliResult, type Home } from "./cluster-support.ts";
import { leftovers } from "./provision-support.ts";

const name = "kubernetes";
const subnet = "10.83.0.0/24";
const [controlPlane, worker] = ["10.83.0.2", "10.83.0.3"];

interface Pod {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly phase: string;
    readonly containerStatuses?: readonly { readonly ready: boolean; readonly restartCount: number }[];
  };
}

describe("Kubernetes on a local cluster", () => {
  let home: Home;
  let plan: ClusterPlan;
  let created: CliResult;
  const out = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await home.talosctl("--nodes", controlPlane, ...args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const kubectl = (...args: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const env = { PATH: process.env["PATH"], HOME: home.path, KUBECONFIG: join(home.path, ".kube/config") };
      const program = join(home.path, ".talos/clusters", name, "kubectl");
      execFile(program, args, { env, timeout: 60_000 }, (err, stdout, stderr) => {
        if (err === null) resolve(stdout);
        else reject(new Error(`kubectl ${args.join(" ")}: ${stderr}`));
      });
    });
  const systemPods = async (): Promise<readonly Pod[]> =>
    (JSON.parse(await kubectl("get", "pods", "-n", "kube-system", "-o", "json")) as { items: readonly Pod[] }).items;

  before(async () => {
    home = await createHome();
    plan = planCluster({ name, subnet, kubernetes: true }, join(home.path, ".talos/clusters"));
    created = await home.talosctl("cluster", "create", "--name", name, "--subnet", subnet, "--wait-timeout", "10m");
  });
  after(async () => {
    await home.talosctl("cluster", "destroy", "--name", name);
    assert.deepEqual(await leftovers(plan), []);
    await home[Symbol.asyncDispose]();
  });

  it("T-20, T-23: comes up, and says which checks passed", () => {
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
    await out("kubeconfig", join(home.path, "other"), "--merge=false");
    assert.match(await kubectl("--kubeconfig", join(home.path, "other"), "get", "ns"), /kube-system/);
  });
  it("brings the kubelet back after a restart through the API, and leaves the pods alone", async () => {
    const restarts = async (): Promise<number> =>
      (await systemPods())
        .filter(({ metadata }) => metadata.name.startsWith("kube-proxy-"))
        .flatMap(({ status }) => status.containerStatuses ?? [])
        .reduce((sum, { restartCount }) => sum + restartCount, 0);
    const before = await restarts();
    assert.equal((await home.talosctl("--nodes", worker, "service", "kubelet", "restart")).code, 0);
    await eventually(
      async () => (await home.talosctl("--nodes", worker, "service", "kubelet")).stdout,
      (text) => /STATE +Running[^]*HEALTH +OK/.test(text),
    );
    assert.equal(await restarts(), before);
  });
});
