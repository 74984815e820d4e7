import {
  isNotFound,
  isPendingFinalizers,
  isPhaseConflict,
  pointerTo,
  type ControllerContext,
  type Pointer,
  type ResourceInit,
  type ResourceType,
} from "@talos-ts/cosi";

type OutputContext = Pick<ControllerContext, "modify" | "teardown" | "destroy" | "queueReconcile">;

/**
 * Writes an output. An earlier one of that name that somebody still holds cannot be written: it is written once it is gone,
 * for which the controller needs its output as an input.
 */
export async function putOutput<S>(
  context: OutputContext,
  type: ResourceType<S>,
  id: string,
  change: (current: S | undefined) => S,
  init: ResourceInit = {},
): Promise<void> {
  try {
    await context.modify(type, id, change, init);
  } catch (err) {
    const pointer = pointerTo(type, id, init.namespace);
    if (!isPhaseConflict(err, pointer)) throw err;
    if (await removeOutput(context, pointer)) context.queueReconcile();
  }
}

/** Tears an output down and destroys it when nobody holds it. Resolves to whether it is gone. */
export async function removeOutput(
  context: Pick<OutputContext, "teardown" | "destroy">,
  pointer: Pointer,
): Promise<boolean> {
  try {
    if (!(await context.teardown(pointer))) return false;
    await context.destroy(pointer);
    return true;
  } catch (err) {
    if (isNotFound(err)) return true;
    if (isPendingFinalizers(err)) return false;
    throw err;
  }
}
