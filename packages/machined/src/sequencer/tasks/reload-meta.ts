import { createResource, findTyped, type State } from "@talos-ts/cosi";
import { MetaLoad } from "@talos-ts/machinery/resources/runtime";
import type { MetaStore } from "../../meta-store.ts";
import type { Task } from "../../sequence.ts";

/** Reads the values of META, or finds that there is no such partition, and tells those who wait for them. */
export function reloadMeta({ state, meta }: { readonly state: State; readonly meta: MetaStore }): Task {
  return async ({ signal }) => {
    await meta.load(signal);
    if ((await findTyped(state, MetaLoad, MetaLoad.id)) !== undefined) return;
    await state.create(createResource(MetaLoad, MetaLoad.id, MetaLoad.spec({ done: true })));
  };
}
