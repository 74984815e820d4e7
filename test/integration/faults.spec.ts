import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { eventually } from "./cluster-support.ts";
import { programsOf, restartHost } from "./faults-support.ts";
import { createKubernetesCluster, type KubernetesCluster } from "./kubernetes-support.ts";

const name = "faults";
const subnet = "10.94.0.0/24";
const [controlPlane, worker] = ["10.94.0.2", "10.94.0.3"];
const node = `${name}-controlplane-1`;
/** A machine without Kubernetes whose address is one of those that pods get. */
const overlapping = { name: "overlap", subnet: "10.95.0.0/24", address: "10.95.0.2" };
/** Patches that make a command line wrong, and right again. */
const wrongFlag = 'machine: {kubelet: {extraArgs: {no-such-flag: "1"}}}';
const rightFlag = "machine: {kubelet: {extraArgs: {no-such-flag: {$patch: delete}}}}";
const crash =
  /Error running Containerd\(kubelet\), going to restart forever: task "kubelet" failed: exit code 1 \(last log ".*unknown flag: --no-such-flag.*"\), next: talosctl logs kubelet/;

describe("faults of a cluster with Kubernetes", () => {
  let cluster: KubernetesCluster;
  const kubectl = (...args: readonly string[]): Promise<string> => cluster.kubectl("--request-timeout=10s", ...args);

  async function out(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await cluster.home.talosctl(...args);
    assert.equal(code, 0, `talosctl ${args.join(" ")}\n${stdout}\n${stderr}`);
    return stdout;
  }
  const on = (address: string, ...args: readonly string[]): Promise<string> =>
    cluster.home
      .talosctl("--context", name, "--nodes", address, ...args)
      .then(({ stdout, stderr }) => `${stdout}\n${stderr}`);
  const patch = async (address: string, text: string, ...flags: readonly string[]): Promise<void> => {
    await out("--context", name, "--nodes", address, "patch", "machineconfig", "--patch", text, ...flags);
  };
  const service = (address: string, id: string): Promise<string> => on(address, "service", id);
  const untilHealthy = (address: string, id: string): Promise<string> =>
    eventually(
      () => service(address, id),
      (text) => /^STATE +Running$/m.test(text) && /^HEALTH +OK$/m.test(text),
      240_000,
    );
  /** Returns what `health` ends with where something is wrong; a busy machine may not get as far as that check at first. */
  const diagnosis = async (wished: RegExp): Promise<string> => {
    let text = "";
    for (const limit of ["5s", "20s", "60s"]) {
      text = await on(controlPlane, "health", "--wait-timeout", limit);
      if (wished.test(text)) break;
    }
    assert.match(text, wished);
    return text;
  };
  const untilReady = (limitMs = 240_000): Promise<string> =>
    eventually(
      () => kubectl("get", "nodes", "--no-headers").catch(String),
      (text) => text.match(/ Ready /g)?.length === 2,
      limitMs,
    );

  before(async () => {
    cluster = await createKubernetesCluster(name, subnet, "pull");
    assert.equal(cluster.created.code, 0, cluster.created.stderr);
    // Its diagnosis takes half a minute, so it starts before it is needed.
    const flags = ["--name", overlapping.name, "--subnet", overlapping.subnet, "--workers", "0", "--images", "none"];
    const podSubnets = `cluster: {network: {podSubnets: [${overlapping.subnet}]}}`;
    await out("cluster", "create", ...flags, "--wait=false", "--config-patch", podSubnets);
  });
  after(async () => {
    await cluster.home.talosctl("cluster", "destroy", "--name", overlapping.name);
    await cluster[Symbol.asyncDispose]();
  });

  it("pulls every image by its reference, where there is no image cache", async () => {
    assert.match(cluster.created.stderr, /^container images: pull \(--images pull\)$/m);
    const wanted = ["etcd", "kube-apiserver", "siderolabs/kubelet", "siderolabs/flannel", "coredns/coredns", "pause"];
    for (const image of wanted) {
      assert.ok(
        [...cluster.pulled].some((path) => path.startsWith(`/v2/${image}/manifests/`)),
        `${image}: ${[...cluster.pulled].join(" ")}`,
      );
    }
    assert.match(await on(controlPlane, "get", "imagecacheconfig"), /disabled/);
  });

  // Those that lose the leadership while the API server is away end by themselves, and that is theirs to decide.
  const leaders = ["/usr/local/bin/kube-controller-manager", "/usr/local/bin/kube-scheduler"];
  for (const [what, path, id, excused] of [
    ["the CRI containerd", "/run/containerd/containerd.sock", "cri", []],
    ["the kubelet", "/usr/local/bin/kubelet", "kubelet", []],
    ["the API server", "/usr/local/bin/kube-apiserver", undefined, leaders],
    ["etcd", "/usr/local/bin/etcd", "etcd", leaders],
  ] as const) {
    it(`brings ${what} back after kill -9, and restarts nothing else`, async () => {
      const programs = await programsOf(node);
      const hit = programs.find(({ name: program }) => program === path);
      assert.ok(hit !== undefined, JSON.stringify(programs));
      process.kill(hit.pid, "SIGKILL");
      await eventually(
        () => programsOf(node),
        (now) => now.some(({ name: program, pid }) => program === path && pid !== hit.pid),
      );
      if (id !== undefined) await untilHealthy(controlPlane, id);
      await eventually(
        () => kubectl("get", "--raw", "/readyz").catch(String),
        (text) => text === "ok",
        240_000,
      );
      const now = await programsOf(node);
      const gone = programs.filter((old) => old !== hit && !now.some(({ pid }) => pid === old.pid));
      assert.deepEqual(
        gone.filter(({ name: program }) => !excused.some((other) => other === program)),
        [],
      );
    });
  }

  it("tells the last line of a kubelet with an argument it does not know, in its history and in health", async () => {
    await patch(worker, wrongFlag);
    await eventually(
      () => service(worker, "kubelet"),
      (text) => crash.test(text),
    );
    const text = await diagnosis(
      /timed out waiting for kubelet to be healthy: 10\.94\.0\.3: .*unknown flag: --no-such-flag/,
    );
    assert.match(text, /^next: talosctl --nodes 10\.94\.0\.3 logs kubelet$/m);
    await patch(worker, rightFlag);
    await untilHealthy(worker, "kubelet");
  });

  it("T-39: tells which image is missing and who was asked, in the history, the log and health", async () => {
    const reason = /failed to pull image "registry\.invalid\/kubelet:v9": .*registry\.invalid/;
    await patch(worker, "machine: {kubelet: {image: registry.invalid/kubelet:v9}}");
    await eventually(
      () => service(worker, "kubelet"),
      (text) => /Retrying error: failed to pull image/.test(text) && reason.test(text),
    );
    for (const command of [["logs", "machined", "--tail", "20"], ["dmesg"]]) {
      assert.match(await on(worker, ...command), /\[talos\] retrying error: failed to pull image/);
    }
    await diagnosis(reason);
    await patch(worker, "machine: {kubelet: {image: {$patch: delete}}}");
    await untilHealthy(worker, "kubelet");
    await untilReady();
  });

  it("T-46: comes back after a reboot of all nodes at once, but not without a kubelet, and says so", async () => {
    await kubectl("create", "configmap", "kept", "--from-literal=a=b");
    await Promise.all([patch(controlPlane, wrongFlag, "--mode=reboot"), patch(worker, "debug: true", "--mode=reboot")]);
    await eventually(
      () => service(controlPlane, "kubelet"),
      (text) => crash.test(text),
      240_000,
    );
    await untilHealthy(controlPlane, "etcd");
    assert.match(await on(controlPlane, "get", "staticpods"), / kube-apiserver /);
    assert.ok(!(await programsOf(node)).some(({ name: program }) => program === "/usr/local/bin/kube-apiserver"));
    await diagnosis(/timed out waiting for kubelet to be healthy: 10\.94\.0\.2: .*--no-such-flag/);
    assert.match(await on(controlPlane, "get", "machinestatus", "-o", "yaml"), /reason: .*kubelet not running/);
    await patch(controlPlane, rightFlag);
    await untilReady();
    assert.equal(await kubectl("get", "configmap", "kept", "-o", "jsonpath={.data.a}"), "b");
  });

  it("T-10 to T-13: tells that the address of a machine is one of those that pods get", async () => {
    const ask = (...args: readonly string[]): Promise<string> =>
      cluster.home
        .talosctl("--context", overlapping.name, "-n", overlapping.address, ...args)
        .then(({ stdout }) => stdout);
    const text = await eventually(
      () => ask("get", "diagnostics", "-o", "yaml"),
      (answer) => answer.includes("address-overlap"),
      240_000,
    );
    assert.match(text, /message: host and Kubernetes pod\/service CIDR addresses overlap/);
    assert.match(text, /host routed addresses: \["10\.95\.0\.2\/24"\]/);
    assert.match(text, /Kubernetes pod CIDRs: \["10\.95\.0\.0\/24"\]/);
    assert.match(await ask("get", "nodeaddress", "routed-no-k8s", "-o", "yaml"), /addresses: \[\]/);
    assert.match(
      await ask("logs", "machined"),
      /no suitable node IP found, please make sure \.machine\.kubelet\.nodeIP/,
    );
  });

  it("comes back with its data when the host was restarted and the cluster is started, as `npm run up` does", async () => {
    await restartHost(cluster.plan, name, join(cluster.home.path, ".talos/clusters"));
    await out("cluster", "start", "--name", name);
    await untilReady();
    assert.equal(await kubectl("get", "configmap", "kept", "-o", "jsonpath={.data.a}"), "b");
  });
});
