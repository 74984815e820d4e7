import { isRecord, OsError } from "@talos-ts/base";
import { createResource, reduceController, shared, type Controller, type Resource } from "@talos-ts/cosi";
import { StaticPod } from "@talos-ts/machinery/resources/k8s";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { jsonObject } from "../internal/json-object.ts";

/** Static pods of the user, from `machine.pods`. */
export function staticPodConfigController(): Controller {
  return reduceController({
    name: "k8s.StaticPodConfigController",
    inputs: [activeConfigInput],
    outputs: [shared(StaticPod)],
    async reduce(context) {
      const pods = (await activeConfig(context))?.machine?.pods ?? [];
      return pods.map((pod, index) => staticPod(pod, index));
    },
  });
}

function staticPod(pod: unknown, index: number): Resource {
  const metadata: unknown = isRecord(pod) ? pod["metadata"] : undefined;
  const { name, namespace = "default" } = isRecord(metadata) ? metadata : {};
  if (typeof name !== "string" || name === "") {
    throw new OsError({
      kind: "invalid-argument",
      code: "k8s/static-pod-without-name",
      message: `name is missing in static pod metadata (.machine.pods[${String(index)}])`,
      next: "talosctl edit machineconfig",
    });
  }
  return createResource(StaticPod, `${String(namespace)}-${name}`, jsonObject(pod));
}
