import type { Kind, State } from "@talos-ts/cosi";

/**
 * Copies what is in use. Nobody holds on to a copy: whoever put a finalizer on the original would not let go of the copy.
 */
export async function copyResources(from: State, to: State, kinds: readonly Kind[]): Promise<void> {
  for (const kind of kinds) {
    for (const { metadata, spec } of await from.list(kind)) {
      if (metadata.phase !== "running") continue;
      await to.create({ metadata: { ...metadata, finalizers: [] }, spec }, { owner: metadata.owner });
    }
  }
}
