import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, OsError } from "@talos-ts/base";
import { createKubernetesClient, type KubernetesObject } from "@talos-ts/kubernetes";
import { failWith, startTestApiServer, type TestApiServer } from "@talos-ts/kubernetes/testing";
import { syncManifests, type SyncOptions } from "./sync-manifests.ts";

/** An API server that keeps objects by their path, and applies them as a whole. */
async function cluster(objects: Map<string, KubernetesObject>): Promise<TestApiServer> {
  return await startTestApiServer(({ method, path, query, body }, response) => {
    if (path === "/apis/apps") return { preferredVersion: { groupVersion: "apps/v1" } };
    if (path === "/apis/apps/v1") return { resources: [{ name: "daemonsets", kind: "DaemonSet", namespaced: true }] };
    if (path === "/api/v1") return { resources: [{ name: "secrets", kind: "Secret", namespaced: true }] };
    const stored = objects.get(path);
    if (method === "GET") return stored ?? failWith(response, 404, "NotFound");
    if (method === "POST") {
      const created = body as KubernetesObject;
      objects.set(`${path}/${created.metadata.name ?? ""}`, created);
      return created;
    }
    if (method === "DELETE") return objects.delete(path) ? {} : failWith(response, 404, "NotFound");
    const applied = { ...stored, ...(body as KubernetesObject) };
    const [is, was] = [applied["immutable"], stored?.["immutable"]];
    if (was !== undefined && is !== was) return failWith(response, 422, "Invalid", "field is immutable");
    if (query.get("dryRun") !== "All") objects.set(path, applied);
    return applied;
  });
}

const daemonSet: KubernetesObject = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "kube-proxy", namespace: "kube-system" },
  spec: { image: "registry.k8s.io/kube-proxy:v1.36.4" },
};
const configMap: KubernetesObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "coredns", namespace: "kube-system" },
  data: {},
};
const path = "/apis/apps/v1/namespaces/kube-system/daemonsets/kube-proxy";

async function sync(
  server: TestApiServer,
  dryRun: boolean,
  objects: readonly KubernetesObject[],
  choices: Partial<SyncOptions> = {},
): Promise<string> {
  using client = createKubernetesClient({ access: server.access });
  const lines: string[] = [];
  const signal = new AbortController().signal;
  const options = { client, dryRun, signal, clock: createManualClock(), reconcileMs: 0 };
  const usual = { policy: "AdoptIfNoInventory", force: false, prune: true } as const;
  await syncManifests({ ...options, ...usual, ...choices, log: (line) => void lines.push(line) }, objects);
  return lines.join("\n");
}

describe("syncManifests()", () => {
  it("changes what differs, creates what is missing, and leaves the rest alone", async () => {
    const objects = new Map<string, KubernetesObject>();
    await using server = await cluster(objects);
    assert.match(await sync(server, false, [daemonSet, configMap]), /kube-proxy\n < applied successfully, diff:\n/);
    const again = await sync(server, false, [daemonSet, configMap]);
    assert.equal(again.match(/apply skipped: nothing to update/g)?.length, 2);
    const changed = { ...daemonSet, spec: { image: "registry.k8s.io/kube-proxy:v1.36.5" } };
    assert.match(await sync(server, false, [changed, configMap]), /\n\+ .*v1\.36\.5/);
    assert.deepEqual(objects.get(path)?.["spec"], changed["spec"]);
  });
  it("shows in a dry run what would change, and changes nothing", async () => {
    const objects = new Map<string, KubernetesObject>();
    await using server = await cluster(objects);
    await sync(server, false, [daemonSet]);
    const before = structuredClone([...objects]);
    const changed = { ...daemonSet, spec: { image: "registry.k8s.io/kube-proxy:v1.36.5" } };
    assert.match(await sync(server, true, [changed]), /apply skipped in dry run, diff:[^]*\+ .*v1\.36\.5/);
    assert.deepEqual([...objects], before);
  });
  it("does not show what is in secrets", async () => {
    await using server = await cluster(new Map());
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "token", namespace: "kube-system" },
      stringData: { token: "do-not-show" },
    };
    assert.doesNotMatch(await sync(server, false, [secret]), /do-not-show/);
  });
  it("removes what manifests no longer have, unless that is not wanted or belongs to somebody else", async () => {
    const objects = new Map<string, KubernetesObject>();
    await using server = await cluster(objects);
    await sync(server, false, [daemonSet, configMap]);
    await sync(server, false, [configMap], { prune: false });
    assert.ok(objects.has(path));
    assert.match(
      await sync(server, true, [configMap]),
      /pruning DaemonSet kube-system\/kube-proxy[^]*skipped in dry run/,
    );
    assert.ok(objects.has(path));
    assert.match(await sync(server, false, [configMap]), /pruning DaemonSet kube-system\/kube-proxy[^]*< pruned/);
    assert.ok(!objects.has(path));
    assert.doesNotMatch(await sync(server, false, [configMap]), /pruning/);
    await sync(server, false, [daemonSet, configMap]);
    objects.set(path, { ...daemonSet, metadata: { ...daemonSet.metadata, annotations: {} } });
    assert.doesNotMatch(await sync(server, false, [configMap]), /pruning/);
    assert.ok(objects.has(path));
  });
  it("changes what the inventory policy allows", async () => {
    const owned = (owner?: string): KubernetesObject => ({
      ...daemonSet,
      spec: {},
      metadata: { ...daemonSet.metadata, ...(owner && { annotations: { "config.k8s.io/owning-inventory": owner } }) },
    });
    const cases = [
      ["AdoptAll", "helm", true],
      ["AdoptIfNoInventory", "helm", false],
      ["AdoptIfNoInventory", undefined, true],
      ["MustMatch", undefined, false],
      ["MustMatch", "talos-bootstrap-manifests-inventory", true],
    ] as const;
    for (const [policy, owner, changes] of cases) {
      const objects = new Map([[path, owned(owner)]]);
      await using server = await cluster(objects);
      const text = await sync(server, false, [daemonSet], { policy });
      assert.equal(/applied successfully/.test(text), changes, `${policy} ${owner ?? "nobody"}: ${text}`);
      if (!changes) assert.match(text, new RegExp(`--manifests-inventory-policy ${policy} leaves it alone`));
    }
  });
  it("makes an object anew whose change is refused, when told to", async () => {
    const objects = new Map<string, KubernetesObject>();
    await using server = await cluster(objects);
    await sync(server, false, [{ ...daemonSet, immutable: 1 }]);
    const changed = { ...daemonSet, immutable: 2 };
    await assert.rejects(sync(server, false, [changed]), (err) => {
      assert.ok(err instanceof OsError);
      assert.match(err.next ?? "", /--manifests-force/);
      return true;
    });
    assert.match(await sync(server, false, [changed], { force: true }), /made anew/);
    assert.equal(objects.get(path)?.["immutable"], 2);
  });
});
