import { reconcileController, shared, weak, type Controller, type ResourceType } from "@talos-ts/cosi";
import { putOutput } from "../internal/output.ts";
import { configNamespace } from "./ids.ts";

/** Specs of all layers in, merged specs by id out. */
export type Merge<S> = (specs: readonly S[]) => Iterable<readonly [id: string, spec: S]>;

/** Merges what all layers say into what should be. */
export function layeredMerge<S>(type: ResourceType<S>, merge: Merge<S>): Controller {
  return reconcileController({
    name: type.type.replace("Specs", "MergeControllers"),
    inputs: [weak(type, { namespace: configNamespace })],
    outputs: [shared(type)],
    cleanup: [{ namespace: type.namespace, type: type.type }],
    async reconcile(context) {
      const resources = await context.list(type, { namespace: configNamespace });
      const running = resources.filter(({ metadata }) => metadata.phase === "running").map(({ spec }) => spec);
      for (const [id, spec] of merge(running)) await putOutput(context, type, id, () => spec);
    },
  });
}
