import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { defaultKubernetesVersion } from "@talos-ts/machinery/constants";
import { eventually } from "./cluster-support.ts";
import { createKubernetesCluster, type KubernetesCluster } from "./kubernetes-support.ts";

/** A version one minor below the default one. Its images take minutes to build, once. */
const from = "1.35.4";
const to = defaultKubernetesVersion;
const long = "npm run integration -- integration/kubernetes-minor --long";

describe("an upgrade to the next minor version", { skip: process.env["TEST_LONG"] === undefined && long }, () => {
  let cluster: KubernetesCluster;
  const talosctl = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await cluster.home.talosctl("--nodes", cluster.controlPlane, ...args);
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    return `${stdout}\n${stderr}`;
  };
  const kubectl = (...args: readonly string[]): Promise<string> => cluster.kubectl(...args);
  const versions = (): Promise<string> =>
    kubectl("get", "nodes", "-o", "jsonpath={.items[*].status.nodeInfo.kubeletVersion}");

  before(async () => {
    cluster = await createKubernetesCluster("kubernetes-minor", "10.90.0.0/24", "build", { from });
  });
  after(() => cluster[Symbol.asyncDispose]());

  it("begins with the older one", async () => {
    assert.equal(cluster.created.code, 0, `${cluster.created.stdout}\n${cluster.created.stderr}`);
    assert.equal(await versions(), `v${from} v${from}`);
    assert.match(await kubectl("version"), new RegExp(`Server Version: v${from}`));
  });
  it("refuses what is no step: two minor versions at once, and one backwards", async () => {
    for (const other of ["1.33.1", "1.34.0", "1.37.0"]) {
      const words = ["upgrade-k8s", "--to", other, "--dry-run"];
      const { code, stderr } = await cluster.home.talosctl("--nodes", cluster.controlPlane, ...words);
      assert.notEqual(code, 0, other);
      assert.match(stderr, new RegExp(other.replaceAll(".", String.raw`\.`)), "the message names the version");
    }
    assert.equal(await versions(), `v${from} v${from}`);
  });
  it("goes node by node and leaves nothing of the old version", async () => {
    await kubectl("create", "configmap", "kept", "--from-literal=value=1");
    assert.match(await talosctl("upgrade-k8s", "--to", to), /updating manifests/);
    assert.equal(await versions(), `v${to} v${to}`);
    assert.match(await kubectl("version"), new RegExp(`Server Version: v${to}`));
    assert.equal(await kubectl("get", "configmap", "kept", "-o", "jsonpath={.data.value}"), "1");
    const images = "jsonpath={.items[*].spec.containers[*].image}";
    await eventually(
      () => kubectl("get", "pods", "-n", "kube-system", "-o", images),
      (text) => !text.includes(`v${from}`),
    );
    await talosctl("health", "--wait-timeout", "5m");
  });
});
