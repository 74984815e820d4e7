import assert from "node:assert/strict";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { defaultKubernetesVersion } from "@talos-ts/machinery/constants";
import { eventually } from "./cluster-support.ts";
import type { KubernetesCluster } from "./kubernetes-support.ts";

const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" } });
/** Manifests that nodes get, and lose again. */
const manifests = [
  { name: "namespace", object: { apiVersion: "v1", kind: "Namespace", metadata: { name: "kept" } } },
  { name: "dropped", object: configMap("dropped") },
  { name: "taken", object: configMap("taken") },
] as const;
const made = ["namespace/kept", "configmap/dropped", "configmap/taken"] as const;

/** Work on the whole cluster, node by node. Comes last: it leaves another version and other authorities. */
export function rollingWork(cluster: () => KubernetesCluster, otherVersion: string): void {
  /** Guides that ran before may have left another context. */
  const where = (): readonly string[] => ["--context", cluster().plan.name, "--nodes", cluster().controlPlane];
  const talosctl = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await cluster().home.talosctl(...where(), ...args);
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    return `${stdout}${stderr}`;
  };

  const kubectl = (...args: readonly string[]): Promise<string> => cluster().kubectl(...args);

  void describe("rolling work", () => {
    void it("shows in a dry run what an upgrade would change", async () => {
      const plan = await talosctl("upgrade-k8s", "--to", otherVersion, "--dry-run");
      assert.match(plan, new RegExp(`update kube-apiserver: ${defaultKubernetesVersion} -> ${otherVersion}`));
      assert.match(plan, new RegExp(`update kubelet: ${defaultKubernetesVersion} -> ${otherVersion}`));
      assert.doesNotMatch(plan, /machine configuration patched/);
    });
    void it("makes objects of manifests, which stay when no manifest has them any more", async () => {
      const inlineManifests = manifests.map(({ name, object }) => ({ name, contents: JSON.stringify(object) }));
      const patch = (cluster: object): Promise<string> =>
        talosctl("patch", "machineconfig", "--patch", JSON.stringify({ cluster }));
      await patch({ inlineManifests });
      await eventually(
        () => kubectl("get", "--output", "name", ...made).catch(String),
        (text) => text === `${made.join("\n")}\n`,
      );
      // Somebody else takes one of them over.
      await kubectl("annotate", "--overwrite", "configmap/taken", "config.k8s.io/owning-inventory=somebody");
      await patch({ inlineManifests: { $patch: "delete" } });
      await kubectl("get", ...made);
    });
    void it("upgrades Kubernetes, also after an upgrade that was broken off", async () => {
      const args = [...where(), "upgrade-k8s", "--to", otherVersion, "--pre-pull-images=false"];
      await cluster().home.talosctlUntil(/machine configuration patched/, ...args);
      const told = await talosctl("upgrade-k8s", "--to", otherVersion);
      assert.match(told, /updating manifests/);
      assert.match(told, /^ > pruning ConfigMap default\/dropped: no manifest has it any more\n < pruned$/m);
      const nodes = await kubectl("get", "nodes", "-o", "jsonpath={.items[*].status.nodeInfo.kubeletVersion}");
      assert.equal(nodes, `v${otherVersion} v${otherVersion}`);
      assert.match(await kubectl("version"), new RegExp(`Server Version: v${otherVersion}`));
      const images = await kubectl(
        "-n",
        "kube-system",
        "get",
        "pods",
        "-o",
        "jsonpath={.items[*].spec.containers[*].image}",
      );
      assert.doesNotMatch(images, new RegExp(`v${defaultKubernetesVersion}`));
    });
    void it("has removed the object that no manifest has, but no namespace, and nothing of others", async () => {
      const left = await kubectl("get", "--ignore-not-found", "--output", "name", ...made);
      assert.equal(left, "namespace/kept\nconfigmap/taken\n");
    });
    // Minutes: `npm run integration -- --long` has them. The guides rotate the authority of the machine API in any case.
    if (process.env["TEST_LONG"] === undefined) return;
    void it("erases nodes one after the other, which join anew", async () => {
      const { home, plan, worker, controlPlane } = cluster();
      const words = ["reset", "--rolling", "--reboot", "--timeout", "10m"];
      const reached = ["--context", plan.name, "--endpoints", controlPlane, "--nodes", worker];
      const { code, stdout, stderr } = await home.talosctl(...reached, ...words);
      assert.equal(code, 0, `${stdout}\n${stderr}`);
      assert.match(`${stdout}${stderr}`, new RegExp(`${worker}: is back`));
      assert.equal((await kubectl("get", "nodes", "--no-headers")).match(/ Ready /g)?.length, 2);
    });
    void it("rotates the authority of Kubernetes, after which the former kubeconfig is worth nothing", async () => {
      const { home } = cluster();
      const former = join(home.path, "former-kubeconfig");
      await copyFile(join(home.path, ".kube/config"), former);
      const text = await talosctl("rotate-ca", "--dry-run=false", "--talos=false");
      assert.match(text, /OK \(2 nodes ready\)/);
      await assert.rejects(kubectl("--kubeconfig", former, "get", "nodes"), /certificate|authority/);
      await talosctl("kubeconfig", "--force", join(home.path, ".kube/config"));
      assert.match(await kubectl("get", "nodes"), / Ready /);
    });
  });
}
