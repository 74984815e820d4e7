import type { Controller, Input, Logger, Reader } from "../controller.ts";
import type { Resource, ResourceType } from "../resource.ts";
import { shared, weak, withDestroyReady, type DeclaredOutput } from "./declare.ts";
import { undeclaredWrite } from "./errors.ts";
import { reconcileController } from "./reconcile-controller.ts";

/** Describes what a pure controller function gets. */
export interface PureContext extends Reader {
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Settings of `reduceController`. */
export interface ReduceControllerOptions {
  readonly name: string;
  readonly inputs: readonly Input[];
  readonly outputs: readonly DeclaredOutput[];
  /**
   * All outputs that should exist, made with `createResource`; others are removed. `undefined` (or `SkipReconcile`)
   * means "too early to tell" and leaves the outputs as they are.
   */
  reduce(context: PureContext): Promise<Iterable<Resource> | undefined> | Iterable<Resource> | undefined;
}

/** From all inputs, all outputs: the controller is a function. */
export function reduceController(options: ReduceControllerOptions): Controller {
  const { name, inputs, outputs } = options;
  return reconcileController({
    name,
    inputs: withDestroyReady(inputs, outputs),
    outputs,
    async reconcile(context) {
      const wanted = await options.reduce(context);
      if (wanted === undefined) return;
      context.startTrackingOutputs();
      for (const { metadata, spec } of wanted) {
        const declared = outputs.find((output) => output.type === metadata.type);
        if (declared === undefined) throw undeclaredWrite(name, "modify", metadata);
        const { namespace, labels, annotations } = metadata;
        await context.put(declared.resourceType, metadata.id, () => spec, { namespace, labels, annotations });
      }
      await context.cleanupOutputs(...outputs);
    },
  });
}

/** Settings of `mergeController`. */
export interface MergeControllerOptions<S> {
  readonly name: string;
  readonly type: ResourceType<S>;
  /** Namespace of the resources to merge. */
  readonly from: string;
  /** Namespace of the merged ones. @default the type's own */
  readonly to?: string;
  /** Specs of the merged resources by id. */
  merge(resources: readonly Resource<S>[], logger: Logger): Iterable<readonly [id: string, spec: S]>;
}

/** Merges what several sources say about the same thing into one resource each. */
export function mergeController<S>(options: MergeControllerOptions<S>): Controller {
  const { name, type, from, to = type.namespace } = options;
  return reconcileController({
    name,
    inputs: [weak(type, { namespace: from })],
    outputs: [shared(type, to)],
    cleanup: [{ namespace: to, type: type.type }],
    async reconcile(context) {
      const resources = await context.list(type, { namespace: from });
      const running = resources.filter((resource) => resource.metadata.phase === "running");
      for (const [id, spec] of options.merge(running, context.logger)) {
        await context.put(type, id, () => spec, { namespace: to });
      }
    },
  });
}
