import { OsError, describeError } from "@talos-ts/base";
import type { Controller, ControllerContext, Input, Output, OutputKind } from "../controller.ts";
import { describePointer, kindOf, type Labels, type Metadata, type Resource, type ResourceType } from "../resource.ts";
import { RequeueAfter, SkipReconcile } from "./control.ts";
import { exclusive, shared, strong, weak, withDestroyReady } from "./declare.ts";
import { severalFailed } from "./errors.ts";
import { reconcileController } from "./reconcile-controller.ts";

/** Describes what a transform may use: it reads, and writes extra outputs if there are any. */
export type TransformContext = Omit<ControllerContext, "events" | "updateInputs" | "queueReconcile">;

/** Settings of `transformController`. */
export interface TransformControllerOptions<I, O> {
  readonly name: string;
  readonly input: ResourceType<I>;
  readonly output: ResourceType<O>;
  /** Other resources the transform reads; with any, every change transforms all inputs anew. @default none */
  readonly inputs?: readonly Input[];
  /** Other resources the transform writes. @default none */
  readonly outputs?: readonly Output[];
  /** @default {"exclusive"} */
  readonly outputKind?: OutputKind;
  /**
   * Id of the output; `undefined` when the input has none.
   * @default the id that the output type declares, for types of which there is only one resource, else the id of the input
   */
  mapId?(input: Resource<I>): string | undefined;
  /**
   * Spec of the output, or `undefined` when there is to be none. Throwing `SkipReconcile` leaves the output as it is.
   * Should depend on nothing but its arguments and what it reads through the context.
   */
  transform(
    input: Resource<I>,
    context: TransformContext,
    current: O | undefined,
  ): Promise<O | undefined> | O | undefined;
  /** Labels of the output. @default none */
  labels?(input: Resource<I>): Labels;
  /** Hold on to inputs until their outputs are gone. @default {false} */
  readonly finalizers?: boolean;
  /**
   * Called before the input is let go, when `finalizers` are on. Throwing `SkipReconcile` keeps input and output for
   * now.
   */
  beforeRelease?(input: Resource<I>, context: TransformContext): Promise<void>;
}

/** Describes what was made from what; resources are immutable, so the same objects need no second look. */
interface Done {
  /** Id of the output. */
  readonly id: string;
  readonly input: Resource;
  readonly output: Resource | undefined;
}

/** One pass over all inputs. */
interface Pass {
  readonly context: ControllerContext;
  readonly outputs: ReadonlyMap<string, Resource>;
  /** Outputs that stay. */
  readonly keep: Set<string>;
  /** Inputs to let go of once their output is gone, by id of the output. */
  readonly release: Map<string, Metadata[]>;
  readonly failures: OsError[];
  requeueMs: number | undefined;
}

/** One output for each input. All inputs are tried, also when some fail. */
export function transformController<I, O>(options: TransformControllerOptions<I, O>): Controller {
  const { name, input, output, inputs = [], outputs = [], finalizers = false, outputKind = "exclusive" } = options;
  const mapId = (resource: Resource<I>): string | undefined =>
    options.mapId === undefined ? (output.id ?? resource.metadata.id) : options.mapId(resource);
  const done = new Map<string, Done>();
  const pure = inputs.length === 0 && outputs.length === 0;

  function recordFailure(pass: Pass, err: unknown, doing: string, { metadata }: Resource): void {
    if (err instanceof SkipReconcile) {
      pass.context.logger.debug("input skipped", { id: metadata.id, reason: describeError(err) });
    } else if (err instanceof RequeueAfter && !err.failed) {
      pass.requeueMs = Math.min(pass.requeueMs ?? Number.POSITIVE_INFINITY, err.delayMs);
    } else {
      const cause = OsError.from(err instanceof RequeueAfter ? err.cause : err);
      const message = `error ${doing} ${describePointer(metadata)}: ${describeError(cause)}`;
      pass.failures.push(new OsError({ kind: cause.kind, code: cause.code, message, cause }));
    }
  }

  /** Reports whether input and output are those of the last transform, so that it need not run again. */
  function isDone(pass: Pass, resource: Resource<I>): boolean {
    const known = done.get(resource.metadata.id);
    if (known?.input !== resource || known.output !== pass.outputs.get(known.id)) return false;
    if (known.output !== undefined) pass.keep.add(known.id);
    return true;
  }

  async function transformOne(pass: Pass, resource: Resource<I>, id: string): Promise<void> {
    const { context, outputs: present } = pass;
    const current = present.get(id) as Resource<O> | undefined;
    done.delete(resource.metadata.id);
    if (finalizers && !resource.metadata.finalizers.includes(name)) await context.addFinalizer(resource.metadata, name);
    const spec = await options.transform(resource, context, current?.spec);
    if (spec === undefined) {
      pass.keep.delete(id);
      if (pure && !finalizers) done.set(resource.metadata.id, { id, input: resource, output: undefined });
      return;
    }
    const init = options.labels === undefined ? {} : { labels: options.labels(resource) };
    const stored = await context.put(output, id, () => spec, init);
    if (pure && stored !== undefined) done.set(resource.metadata.id, { id, input: resource, output: stored });
  }

  async function handleInput(pass: Pass, resource: Resource<I>): Promise<void> {
    const id = mapId(resource);
    if (id === undefined) return;
    const { metadata } = resource;
    if (metadata.phase === "running") {
      pass.keep.add(id);
      try {
        await transformOne(pass, resource, id);
      } catch (err) {
        recordFailure(pass, err, "running transform on", resource);
      }
      return;
    }
    if (!finalizers || !metadata.finalizers.includes(name)) return;
    try {
      await options.beforeRelease?.(resource, pass.context);
      pass.release.set(id, [...(pass.release.get(id) ?? []), metadata]);
    } catch (err) {
      pass.keep.add(id);
      recordFailure(pass, err, "releasing", resource);
    }
  }

  function isWanted(pass: Pass, { metadata }: Resource<O>): boolean {
    return metadata.owner !== name || (metadata.phase === "running" && pass.keep.has(metadata.id));
  }

  async function remove(pass: Pass, resource: Resource<O>): Promise<boolean> {
    try {
      return await pass.context.remove(resource.metadata);
    } catch (err) {
      recordFailure(pass, err, "removing", resource);
      return false;
    }
  }

  return reconcileController({
    name,
    inputs: withDestroyReady([finalizers ? strong(input) : weak(input), ...inputs], [kindOf(output)]),
    outputs: [outputKind === "shared" ? shared(output) : exclusive(output), ...outputs],
    async reconcile(context) {
      const present = await context.list(output);
      const pass: Pass = {
        context,
        outputs: new Map(present.map((resource) => [resource.metadata.id, resource])),
        keep: new Set(),
        release: new Map(),
        failures: [],
        requeueMs: undefined,
      };
      const resources = await context.list(input);
      for (const resource of resources) if (!isDone(pass, resource)) await handleInput(pass, resource);
      if (done.size > resources.length) forget(done, resources);
      for (const resource of await context.list(output)) {
        if (isWanted(pass, resource) || !(await remove(pass, resource))) pass.release.delete(resource.metadata.id);
      }
      for (const metadata of [...pass.release.values()].flat()) await context.removeFinalizer(metadata, name);
      if (pass.failures.length > 0) throw severalFailed(name, pass.failures);
      if (pass.requeueMs !== undefined) context.queueReconcile(pass.requeueMs);
    },
  });
}

function forget(done: Map<string, Done>, resources: readonly Resource[]): void {
  const present = new Set(resources.map((resource) => resource.metadata.id));
  for (const id of done.keys()) if (!present.has(id)) done.delete(id);
}
