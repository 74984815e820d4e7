import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { openWatch, startTestApiServer } from "@talos-ts/kubernetes/testing";
import { Affiliate, DiscoveryConfig } from "@talos-ts/machinery/resources/cluster";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { Nodename } from "@talos-ts/machinery/resources/k8s";
import { kubernetesSecretFor } from "../k8s/internal/testing-kubernetes.ts";
import { kubernetesPullController } from "./kubernetes-pull.ts";

const node = (name: string, annotations: Readonly<Record<string, string>> = {}): object => ({
  metadata: { name, resourceVersion: "1", annotations },
});

describe("cluster.KubernetesPullController", () => {
  it("learns of other machines from their nodes, and forgets them when the registry is disabled", async () => {
    await using server = await startTestApiServer(({ query }, response) => {
      if (query.get("watch") !== null) {
        openWatch(response);
        return undefined;
      }
      const annotations = { "cluster.talos.dev/node-id": "abc", "networking.talos.dev/self-ips": "10.5.0.3" };
      const own = { "cluster.talos.dev/node-id": "own" };
      return { items: [node("cp-1", own), node("worker-1", annotations), node("foreign")], metadata: {} };
    });
    await using test = controllerTest({ register: [kubernetesPullController({ clock: systemClock, root: "" })] });
    await test.create(
      createResource(DiscoveryConfig, DiscoveryConfig.id, DiscoveryConfig.spec({ registryKubernetesEnabled: true })),
      createResource(Nodename, Nodename.id, Nodename.spec({ nodename: "cp-1" })),
      createResource(MachineType, MachineType.id, "controlplane"),
      kubernetesSecretFor(server.access),
    );
    const raw = { namespace: "cluster-raw" };
    const expected = Affiliate.spec({
      nodeId: "abc",
      addresses: ["10.5.0.3"],
      hostname: "worker-1",
      nodename: "worker-1",
      machineType: "worker",
    });
    await test.assertSpec(Affiliate, "k8s/abc", expected, raw);
    await test.assertNoResource(Affiliate, "k8s/own", raw);
    await test.update(DiscoveryConfig, DiscoveryConfig.id, (spec) => ({ ...spec, registryKubernetesEnabled: false }));
    await test.assertNoResource(Affiliate, "k8s/abc", raw);
  });
});
