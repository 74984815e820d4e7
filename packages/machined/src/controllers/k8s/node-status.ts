import type { Clock } from "@talos-ts/base";
import { destroyReady, exclusive, kindOf, weak, type Controller } from "@talos-ts/cosi";
import { kinds, type NodeObject } from "@talos-ts/kubernetes";
import { KubeletKubeconfig, Nodename, NodeStatus, type NodeStatusSpec } from "@talos-ts/machinery/resources/k8s";
import { createFollowedObjects } from "./internal/followed-objects.ts";
import { kubeletAccess } from "./internal/kubernetes-access.ts";

/** State of the Kubernetes node that this machine is. */
export function nodeStatusController(machine: { readonly clock: Clock; readonly root: string }): Controller {
  const cleanup = [kindOf(NodeStatus)];
  return {
    name: "k8s.NodeStatusController",
    inputs: [
      weak(Nodename, { id: Nodename.id }),
      weak(KubeletKubeconfig, { id: KubeletKubeconfig.id }),
      destroyReady(NodeStatus),
    ],
    outputs: [exclusive(NodeStatus)],
    async run(context) {
      using nodes = createFollowedObjects<NodeObject>(context, machine, "node watch error");
      for await (const _event of context.events) {
        const nodename = (await context.find(Nodename, Nodename.id))?.spec;
        const registers = nodename !== undefined && !nodename.skipNodeRegistration;
        const access = registers ? await kubeletAccess(context, machine.root) : undefined;
        nodes.set(
          registers && access !== undefined
            ? { kind: kinds.node, fieldSelector: `metadata.name=${nodename.nodename}`, access }
            : undefined,
        );
        context.startTrackingOutputs();
        for (const node of nodes.objects ?? []) {
          const spec = statusOf(node);
          await context.put(NodeStatus, spec.nodename, () => spec);
        }
        await context.cleanupOutputs(...cleanup);
        context.resetRestartBackoff();
      }
    },
  };
}

function statusOf({ metadata, spec, status }: NodeObject): NodeStatusSpec {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return NodeStatus.spec({
    nodename: metadata.name ?? "",
    nodeReady: ready?.status === "True",
    unschedulable: spec?.unschedulable === true,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    podCIDRs: spec?.podCIDRs ?? [],
  });
}
