import { OsError, describeError } from "@talos-ts/base";
import type { Controller, ControllerContext, Input, Output } from "../controller.ts";
import { describePointer, type Resource, type ResourceType } from "../resource.ts";
import { SkipReconcile } from "./control.ts";
import { strong } from "./declare.ts";
import { severalFailed } from "./errors.ts";
import { reconcileController } from "./reconcile-controller.ts";

/** Settings of `cleanupController`. */
export interface CleanupControllerOptions<I> {
  readonly name: string;
  readonly input: ResourceType<I>;
  /** @default none */
  readonly inputs?: readonly Input[];
  /** @default none */
  readonly outputs?: readonly Output[];
  /** Makes the world agree with a resource that is in use. Called at every change, so it must bear repetition. */
  apply?(resource: Resource<I>, context: ControllerContext): Promise<void>;
  /** Undoes it before the resource may go. Throwing `SkipReconcile` tries again at the next change. */
  remove(resource: Resource<I>, context: ControllerContext): Promise<void>;
}

/** Holds on to resources whose end needs work, and lets go when the work is done. */
export function cleanupController<I>(options: CleanupControllerOptions<I>): Controller {
  const { name, input, inputs = [], outputs = [] } = options;

  async function handle(resource: Resource<I>, context: ControllerContext): Promise<void> {
    const { metadata } = resource;
    const held = metadata.finalizers.includes(name);
    if (metadata.phase === "running") {
      if (!held) await context.addFinalizer(metadata, name);
      await options.apply?.(resource, context);
    } else if (held) {
      await options.remove(resource, context);
      await context.removeFinalizer(metadata, name);
    }
  }

  return reconcileController({
    name,
    inputs: [strong(input), ...inputs],
    outputs,
    async reconcile(context) {
      const failures: OsError[] = [];
      for (const resource of await context.list(input)) {
        try {
          await handle(resource, context);
        } catch (err) {
          if (err instanceof SkipReconcile) continue;
          const cause = OsError.from(err);
          const message = `error handling ${describePointer(resource.metadata)}: ${describeError(cause)}`;
          failures.push(new OsError({ kind: cause.kind, code: cause.code, message, cause }));
        }
      }
      if (failures.length > 0) throw severalFailed(name, failures);
    },
  });
}
