import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { startTestApiServer, type RecordedRequest } from "@talos-ts/kubernetes/testing";
import { Affiliate, DiscoveryConfig, Identity } from "@talos-ts/machinery/resources/cluster";
import { KubeletKubeconfig, Nodename } from "@talos-ts/machinery/resources/k8s";
import type { KubernetesSecretSpec } from "@talos-ts/machinery/resources/secrets";
import { kubeletKubeconfigPath } from "../k8s/internal/kubernetes-access.ts";
import { kubernetesSecretFor } from "../k8s/internal/testing-kubernetes.ts";
import { kubernetesPushController } from "./kubernetes-push.ts";

describe("cluster.KubernetesPushController", () => {
  it("annotates the own node with what this machine tells the others", async () => {
    const asked = Promise.withResolvers<RecordedRequest>();
    await using server = await startTestApiServer((request) => {
      asked.resolve(request);
      return {};
    });
    await using folder = await temporaryDirectory();
    await mkdir(join(folder.path, "etc/kubernetes"), { recursive: true });
    const { adminKubeconfig } = kubernetesSecretFor(server.access).spec as KubernetesSecretSpec;
    await writeFile(join(folder.path, kubeletKubeconfigPath), adminKubeconfig);
    await using test = controllerTest({
      register: [kubernetesPushController({ clock: systemClock, root: folder.path })],
    });
    await test.create(
      createResource(Identity, Identity.id, Identity.spec({ nodeId: "abc" })),
      createResource(Affiliate, "abc", Affiliate.spec({ nodeId: "abc", addresses: ["10.5.0.2"] })),
      createResource(Nodename, Nodename.id, Nodename.spec({ nodename: "cp-1" })),
      createResource(KubeletKubeconfig, KubeletKubeconfig.id, { hash: "1" }),
      createResource(DiscoveryConfig, DiscoveryConfig.id, DiscoveryConfig.spec({ registryKubernetesEnabled: true })),
    );
    const { method, path, body } = await asked.promise;
    assert.equal(`${method} ${path}`, "PATCH /api/v1/nodes/cp-1");
    const { annotations } = (body as { metadata: { annotations: Record<string, unknown> } }).metadata;
    assert.equal(annotations["cluster.talos.dev/node-id"], "abc");
    assert.equal(annotations["networking.talos.dev/self-ips"], "10.5.0.2");
    assert.equal(annotations["networking.talos.dev/api-server-port"], null);
  });
});
