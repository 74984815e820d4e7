import { mergeController, type Controller, type ResourceType } from "@talos-ts/cosi";
import { configNamespace } from "./resource-ids.ts";

/** Specs of all layers in, merged specs by id out. */
export type Merge<S> = (specs: readonly S[]) => Iterable<readonly [id: string, spec: S]>;

/** Merges what all layers say into what should be. */
export function layeredMerge<S>(type: ResourceType<S>, merge: Merge<S>): Controller {
  return mergeController({
    name: type.type.replace("Specs", "MergeControllers"),
    type,
    from: configNamespace,
    merge: (resources) => merge(resources.map(({ spec }) => spec)),
  });
}
