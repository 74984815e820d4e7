import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { isControlPlane, parseMachineType } from "@talos-ts/machinery/config";
import { NodeTaintSpec } from "@talos-ts/machinery/resources/k8s";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

const controlPlaneTaint = "node-role.kubernetes.io/control-plane";

/** Taints the Kubernetes node should have: that of control planes unless workloads are allowed there, and the configuration's. */
export function nodeTaintSpecController(): Controller {
  return reduceController({
    name: "k8s.NodeTaintSpecController",
    inputs: [activeConfigInput],
    outputs: [exclusive(NodeTaintSpec)],
    async reduce(context) {
      const { machine, cluster } = (await activeConfig(context)) ?? {};
      if (machine === undefined) return [];
      const reserved =
        isControlPlane(parseMachineType(machine.type)) && cluster?.allowSchedulingOnControlPlanes !== true
          ? { [controlPlaneTaint]: "NoSchedule" }
          : {};
      return Object.entries({ ...reserved, ...machine.nodeTaints }).map(([key, text]) =>
        createResource(NodeTaintSpec, key, { key, ...parseTaint(text) }),
      );
    },
  });
}

/** `value:effect`, or `effect` alone. */
function parseTaint(text: string): { readonly value: string; readonly effect: string } {
  const at = text.indexOf(":");
  return at === -1 ? { value: "", effect: text } : { value: text.slice(0, at), effect: text.slice(at + 1) };
}
