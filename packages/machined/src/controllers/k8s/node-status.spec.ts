import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { openWatch, startTestApiServer } from "@talos-ts/kubernetes/testing";
import { KubeletKubeconfig, Nodename, NodeStatus } from "@talos-ts/machinery/resources/k8s";
import type { KubernetesSecretSpec } from "@talos-ts/machinery/resources/secrets";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { kubernetesSecretFor } from "./internal/testing-kubernetes.ts";
import { kubeletKubeconfigPath } from "./internal/kubernetes-access.ts";
import { nodeStatusController } from "./node-status.ts";

function node(ready: boolean, resourceVersion: string): object {
  return {
    metadata: { name: "cp-1", resourceVersion, labels: { zone: "a" } },
    spec: { podCIDRs: ["10.244.0.0/24"] },
    status: { conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
  };
}

describe("k8s.NodeStatusController", () => {
  it("follows the own node with the kubeconfig of the kubelet", async () => {
    await using server = await startTestApiServer(({ query }, response) => {
      if (query.get("fieldSelector") !== "metadata.name=cp-1") return { items: [], metadata: {} };
      if (query.get("watch") === null) return { items: [node(false, "1")], metadata: { resourceVersion: "1" } };
      openWatch(response)("MODIFIED", node(true, "2"));
      return undefined;
    });
    await using root = await temporaryDirectory();
    await mkdir(join(root.path, "etc/kubernetes"), { recursive: true });
    const secret = kubernetesSecretFor(server.access).spec as KubernetesSecretSpec;
    await writeFile(join(root.path, kubeletKubeconfigPath), secret.adminKubeconfig);

    await using test = controllerTest({ register: [nodeStatusController({ clock: systemClock, root: root.path })] });
    const nodename = createResource(Nodename, Nodename.id, Nodename.spec({ nodename: "cp-1" }));
    await test.create(nodename, createResource(KubeletKubeconfig, KubeletKubeconfig.id, { hash: "1" }));
    await test.assertSpec(NodeStatus, "cp-1", {
      nodename: "cp-1",
      nodeReady: true,
      unschedulable: false,
      labels: { zone: "a" },
      annotations: {},
      podCIDRs: ["10.244.0.0/24"],
    });
    await test.remove(nodename);
    await test.assertNoResource(NodeStatus, "cp-1");
  });
});
