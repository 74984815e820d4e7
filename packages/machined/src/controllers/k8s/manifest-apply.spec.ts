import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isRecord, systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { failWith, startTestApiServer, type Answer } from "@talos-ts/kubernetes/testing";
import { Manifest, ManifestStatus, type ManifestSpec } from "@talos-ts/machinery/resources/k8s";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import type { WithMutex } from "../../etcd/mutex.ts";
import { kubernetesSecretFor } from "./internal/testing-kubernetes.ts";
import { manifestApplyController } from "./manifest-apply.ts";

const resources = [
  { name: "namespaces", kind: "Namespace", namespaced: false },
  { name: "configmaps", kind: "ConfigMap", namespaced: true },
  { name: "secrets", kind: "Secret", namespaced: true },
];
const inventoryPath = "/api/v1/namespaces/kube-system/configmaps/talos-bootstrap-manifests-inventory";

/** Keeps objects by path, as an API server does. */
function store(objects: Map<string, unknown>): Answer {
  return ({ method, path, body }, response) => {
    if (path === "/api/v1") return { resources };
    const name =
      method === "POST" && isRecord(body) && isRecord(body["metadata"]) ? `/${String(body["metadata"]["name"])}` : "";
    if (method !== "GET") objects.set(path + name, body);
    return objects.get(path) ?? objects.get(path + name) ?? failWith(response, 404, "NotFound");
  };
}

const object = (kind: string, name: string, namespace?: string): object => ({
  apiVersion: "v1",
  kind,
  metadata: { name, ...(namespace !== undefined && { namespace }) },
});

const locked: string[] = [];
const withMutex: WithMutex = (name, signal, work) => {
  locked.push(name);
  return work(signal);
};

const etcd = createResource(Service, "etcd", Service.spec({ running: true, healthy: true }));

describe("k8s.ManifestApplyController", () => {
  it("T-73: creates what is missing, namespaces first, and records it", async () => {
    const objects = new Map<string, unknown>([["/api/v1/namespaces/default/secrets/there", object("Secret", "there")]]);
    await using server = await startTestApiServer(store(objects));
    await using test = controllerTest({
      register: [manifestApplyController({ clock: systemClock, root: "", withMutex })],
    });
    await test.create(
      kubernetesSecretFor(server.access),
      createResource(Manifest, "00-a", [
        object("ConfigMap", "role:x", "late"),
        object("Secret", "there"),
      ] as ManifestSpec),
      createResource(Manifest, "99-b", [object("Namespace", "late")] as ManifestSpec),
      etcd,
    );
    await test.assertSpec(ManifestStatus, ManifestStatus.id, { manifestsApplied: ["00-a", "99-b"] });
    assert.deepEqual(locked, ["talos:v1:manifestApplyMutex"]);
    const applied = server.requests.filter(({ method }) => method === "PATCH");
    assert.deepEqual(
      applied.map(({ path, query }) => `${path}?${query.toString()}`),
      ["/api/v1/namespaces/late?fieldManager=talos", "/api/v1/namespaces/late/configmaps/role%3Ax?fieldManager=talos"],
    );
    assert.deepEqual(Object.keys((objects.get(inventoryPath) as { data: object }).data), [
      "_late__Namespace",
      "default_there__Secret",
      "late_role__x__ConfigMap",
    ]);
    assert.ok(test.logs.some(({ message }) => message === "created /v1/Namespace/late"));
  });

  it("does not create again what a person deleted", async () => {
    const data = { default_deleted__Secret: "" };
    const objects = new Map<string, unknown>([[inventoryPath, { ...object("ConfigMap", "inventory"), data }]]);
    await using server = await startTestApiServer(store(objects));
    await using test = controllerTest({
      register: [manifestApplyController({ clock: systemClock, root: "", withMutex })],
    });
    await test.create(
      kubernetesSecretFor(server.access),
      createResource(Manifest, "00-a", [object("Secret", "deleted")] as ManifestSpec),
      etcd,
    );
    await test.assertSpec(ManifestStatus, ManifestStatus.id, { manifestsApplied: ["00-a"] });
    assert.ok(server.requests.every(({ method }) => method === "GET"));
  });

  it("applies the others when one has a fault, and names it", async () => {
    const objects = new Map<string, unknown>();
    await using server = await startTestApiServer(store(objects));
    await using test = controllerTest({
      register: [manifestApplyController({ clock: systemClock, root: "", withMutex })],
    });
    await test.create(
      kubernetesSecretFor(server.access),
      createResource(Manifest, "00-a", [object("Unknown", "x"), object("Secret", "good")] as ManifestSpec),
      etcd,
    );
    await test.assertStatus("k8s.ManifestApplyController", ({ lastError }) => {
      assert.match(
        lastError?.error.message ?? "",
        /error creating mapping for object \/v1\/Unknown\/x: no matches for kind/,
      );
    });
    assert.ok(objects.has("/api/v1/namespaces/default/secrets/good"));
  });
});
