import { isNotFound } from "../errors.ts";
import type { Output, OutputKind, QueueContext, QueueController, QueueInput } from "../controller.ts";
import { pointerTo, type Labels, type Metadata, type Pointer, type Resource, type ResourceType } from "../resource.ts";
import { exclusive, mappedDestroyReady, primary, shared } from "./declare.ts";

/** A mapped input with its mapping to items. */
export interface MappedInput extends QueueInput {
  /** The primary resources that a change of this input concerns. */
  map(context: QueueContext, changed: Metadata): Promise<readonly Pointer[]>;
}

/** Settings of `queueTransformController`. */
export interface QueueTransformOptions<I, O> {
  readonly name: string;
  readonly input: ResourceType<I>;
  readonly output: ResourceType<O>;
  /** Other resources the transform reads. @default none */
  readonly inputs?: readonly MappedInput[];
  /** @default none */
  readonly outputs?: readonly Output[];
  /** @default {"exclusive"} */
  readonly outputKind?: OutputKind;
  /** @default {1} */
  readonly concurrency?: number;
  /** Id of the output; `undefined` when the input has none. @default the id of the input */
  mapId?(input: Resource<I>): string | undefined;
  /** Id of the input an output was made from. @default the id of the output */
  unmapId?(output: Resource<O>): string;
  /** Spec of the output, or `undefined` when there is to be none. */
  transform(input: Resource<I>, context: QueueContext, current: O | undefined): Promise<O | undefined> | O | undefined;
  /** @default none */
  labels?(input: Resource<I>): Labels;
  /** Called before the input is let go. Throwing keeps input and output for now. */
  beforeRelease?(input: Resource<I>, context: QueueContext): Promise<void>;
}

/**
 * One output for each input, several at once, each with its own backoff. Inputs are held by a finalizer until their
 * outputs are gone.
 */
export function queueTransformController<I, O>(options: QueueTransformOptions<I, O>): QueueController {
  const { name, input, output, inputs = [], outputs = [], outputKind = "exclusive", concurrency = 1 } = options;
  const unmapId = (resource: Resource<O>): string => options.unmapId?.(resource) ?? resource.metadata.id;
  const mapId = (resource: Resource<I>): string | undefined =>
    options.mapId === undefined ? resource.metadata.id : options.mapId(resource);

  async function reconcileRunning(context: QueueContext, resource: Resource<I>, id: string): Promise<void> {
    if (!resource.metadata.finalizers.includes(name)) await context.addFinalizer(resource.metadata, name);
    const current = await context.find(output, id);
    if (current?.metadata.phase === "tearingDown") {
      // A leftover of an earlier input of that name: its end must come before the new one.
      if (current.metadata.finalizers.length > 0) return;
      await context.remove(current.metadata);
    }
    const spec = await options.transform(resource, context, current?.spec);
    if (spec === undefined) {
      if (current?.metadata.owner === name) await context.remove(current.metadata);
      return;
    }
    const init = options.labels === undefined ? {} : { labels: options.labels(resource) };
    await context.put(output, id, () => spec, init);
  }

  async function reconcileTearingDown(context: QueueContext, resource: Resource<I>, id: string): Promise<void> {
    if (!resource.metadata.finalizers.includes(name)) return;
    await options.beforeRelease?.(resource, context);
    const current = await context.find(output, id);
    const gone = current === undefined || (await context.remove(current.metadata));
    if (gone) await context.removeFinalizer(resource.metadata, name);
  }

  return {
    name,
    concurrency,
    inputs: [primary(input), mappedDestroyReady(output), ...inputs],
    outputs: [outputKind === "shared" ? shared(output) : exclusive(output), ...outputs],
    async reconcile(context, pointer) {
      const resource = await context.find(input, pointer.id, pointer.namespace);
      const id = resource && mapId(resource);
      if (resource === undefined || id === undefined) return;
      const step = resource.metadata.phase === "running" ? reconcileRunning : reconcileTearingDown;
      await step(context, resource, id);
    },
    async mapInput(context, changed) {
      const own = inputs.find(({ namespace, type }) => namespace === changed.namespace && type === changed.type);
      if (own !== undefined) return own.map(context, changed);
      try {
        const made = await context.get(output, changed.id, changed.namespace);
        return [pointerTo(input, unmapId(made))];
      } catch (err) {
        if (!isNotFound(err)) throw err;
        // Gone already: only an id that was kept can be led back.
        return options.unmapId === undefined ? [pointerTo(input, changed.id)] : [];
      }
    },
  };
}
