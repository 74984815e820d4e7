import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { isControlPlane, parseMachineType } from "@talos-ts/machinery/config";
import { NodeLabelSpec } from "@talos-ts/machinery/resources/k8s";
import { ExtensionStatus } from "@talos-ts/machinery/resources/runtime";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { extensionPairs, isLabelValue } from "./internal/extension-pairs.ts";

const controlPlaneLabel = "node-role.kubernetes.io/control-plane";

/** Labels the Kubernetes node should have: its role, those of the configuration, one per extension. */
export function nodeLabelSpecController(): Controller {
  return reduceController({
    name: "k8s.NodeLabelSpecController",
    inputs: [activeConfigInput, weak(ExtensionStatus)],
    outputs: [exclusive(NodeLabelSpec)],
    async reduce(context) {
      const machine = (await activeConfig(context))?.machine;
      if (machine === undefined) return [];
      const labels = {
        ...machine.nodeLabels,
        ...(isControlPlane(parseMachineType(machine.type)) && { [controlPlaneLabel]: "" }),
        ...(await extensionPairs(context, isLabelValue)),
      };
      return Object.entries(labels).map(([key, value]) => createResource(NodeLabelSpec, key, { key, value }));
    },
  });
}
