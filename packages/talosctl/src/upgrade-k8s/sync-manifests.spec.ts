import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createKubernetesClient, type KubernetesObject } from "@talos-ts/kubernetes";
import { failWith, startTestApiServer, type TestApiServer } from "@talos-ts/kubernetes/testing";
import { syncManifests } from "./sync-manifests.ts";

/** An API server that keeps objects by their path, and applies them as a whole. */
async function cluster(objects: Map<string, KubernetesObject>): Promise<TestApiServer> {
  return await startTestApiServer(({ method, path, query, body }, response) => {
    if (path === "/api/v1") return { resources: [{ name: "secrets", kind: "Secret", namespaced: true }] };
    const stored = objects.get(path);
    if (method === "GET") return stored ?? failWith(response, 404, "NotFound");
    if (method === "POST") {
      const created = body as KubernetesObject;
      objects.set(`${path}/${created.metadata.name ?? ""}`, created);
      return created;
    }
    const applied = { ...stored, ...(body as KubernetesObject) };
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

async function sync(server: TestApiServer, dryRun: boolean, objects: readonly KubernetesObject[]): Promise<string> {
  using client = createKubernetesClient({ access: server.access });
  const lines: string[] = [];
  const signal = new AbortController().signal;
  const options = { client, dryRun, signal, clock: createManualClock(), reconcileMs: 0 };
  await syncManifests({ ...options, log: (line) => void lines.push(line) }, objects);
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
});
