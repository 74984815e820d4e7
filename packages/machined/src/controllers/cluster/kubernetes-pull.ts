import type { Clock } from "@talos-ts/base";
import { destroyReady, shared, weak, type Controller } from "@talos-ts/cosi";
import { kinds, type NodeObject } from "@talos-ts/kubernetes";
import { Affiliate, DiscoveryConfig } from "@talos-ts/machinery/resources/cluster";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { KubeletKubeconfig, Nodename } from "@talos-ts/machinery/resources/k8s";
import { KubernetesSecret } from "@talos-ts/machinery/resources/secrets";
import { createFollowedObjects } from "../k8s/internal/followed-objects.ts";
import { ownAccess } from "../k8s/internal/kubernetes-access.ts";
import { affiliateFromNode } from "./internal/affiliate-annotations.ts";

const raw = { namespace: "cluster-raw" };

/**
 * Learns about the other machines from the annotations of their Kubernetes nodes, if that registry is enabled. Control planes read
 * as administrators; Kubernetes since v1.32 forbids kubelets, and so workers, to read other nodes.
 */
export function kubernetesPullController(machine: { readonly clock: Clock; readonly root: string }): Controller {
  const outputs = [shared(Affiliate, raw.namespace)];
  return {
    name: "cluster.KubernetesPullController",
    inputs: [
      weak(DiscoveryConfig, { id: DiscoveryConfig.id }),
      weak(Nodename, { id: Nodename.id }),
      weak(MachineType, { id: MachineType.id }),
      weak(KubeletKubeconfig, { id: KubeletKubeconfig.id }),
      weak(KubernetesSecret, { id: KubernetesSecret.id }),
      destroyReady(Affiliate, raw),
    ],
    outputs,
    async run(context) {
      using nodes = createFollowedObjects<NodeObject>(context, machine, "kubernetes registry node watch error");
      for await (const _event of context.events) {
        const config = (await context.find(DiscoveryConfig, DiscoveryConfig.id))?.spec;
        const own = (await context.find(Nodename, Nodename.id))?.spec.nodename;
        const enabled = config?.registryKubernetesEnabled === true && own !== undefined;
        const access = enabled ? await ownAccess(context, machine.root, "localhostAdminKubeconfig") : undefined;
        nodes.set(access && { kind: kinds.node, access });
        context.startTrackingOutputs();
        for (const node of nodes.objects ?? []) {
          const spec = node.metadata.name === own ? undefined : affiliateFromNode(node);
          if (spec !== undefined) await context.put(Affiliate, `k8s/${spec.nodeId}`, () => spec, raw);
        }
        await context.cleanupOutputs(...outputs);
        context.resetRestartBackoff();
      }
    },
  };
}
