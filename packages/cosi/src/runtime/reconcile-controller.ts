import { describeError } from "@talos-ts/base";
import type { Controller, ControllerContext, Input, Output, ReconcileEvent } from "../controller.ts";
import type { Kind } from "../resource.ts";
import { RequeueAfter, SkipReconcile } from "./control.ts";
import { withDestroyReady } from "./declare.ts";

/** Settings of `reconcileController`. */
export interface ReconcileControllerOptions {
  readonly name: string;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  /** Own outputs of these kinds that a reconcile does not write are removed when it succeeds. @default none */
  readonly cleanup?: readonly Kind[];
  /** Brings outputs in line with inputs. Called once per wake-up. */
  reconcile(context: ControllerContext, event: ReconcileEvent): Promise<void>;
}

/** The loop most controllers have: wait for a change, do everything, remove what is no longer wanted. */
export function reconcileController(options: ReconcileControllerOptions): Controller {
  const { name, outputs, cleanup = [] } = options;

  async function once(context: ControllerContext, event: ReconcileEvent): Promise<void> {
    if (cleanup.length > 0) context.startTrackingOutputs();
    await options.reconcile(context, event);
    if (cleanup.length > 0) await context.cleanupOutputs(...cleanup);
    context.resetRestartBackoff();
  }

  return {
    name,
    outputs,
    inputs: withDestroyReady(options.inputs, cleanup),
    async run(context) {
      for await (const event of context.events) {
        try {
          await once(context, event);
        } catch (err) {
          // Staying in the loop keeps what the controller holds open; a restart would not.
          if (err instanceof SkipReconcile) context.logger.debug("reconcile skipped", { reason: describeError(err) });
          else if (err instanceof RequeueAfter && !err.failed) context.queueReconcile(err.delayMs);
          else throw err;
        }
      }
    },
  };
}
