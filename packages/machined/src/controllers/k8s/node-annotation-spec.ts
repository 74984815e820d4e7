import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { NodeAnnotationSpec } from "@talos-ts/machinery/resources/k8s";
import { ExtensionStatus } from "@talos-ts/machinery/resources/runtime";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { extensionPairs, isLabelValue } from "./internal/extension-pairs.ts";

/** Annotations the Kubernetes node should have: those of the configuration, and extensions whose version is no label value. */
export function nodeAnnotationSpecController(): Controller {
  return reduceController({
    name: "k8s.NodeAnnotationSpecController",
    inputs: [activeConfigInput, weak(ExtensionStatus)],
    outputs: [exclusive(NodeAnnotationSpec)],
    async reduce(context) {
      const machine = (await activeConfig(context))?.machine;
      if (machine === undefined) return [];
      const extensions = await extensionPairs(context, (version) => !isLabelValue(version));
      const annotations = { ...machine.nodeAnnotations, ...extensions };
      return Object.entries(annotations).map(([key, value]) => createResource(NodeAnnotationSpec, key, { key, value }));
    },
  });
}
