import { OsError } from "@talos-ts/base";
import type { Controller, ControllerContext, DeclaredOutput, Input, ResourceType } from "@talos-ts/cosi";
import type { NetworkGroup } from "@talos-ts/linux";
import type { Machine } from "../../machine.ts";

/** At most one look per so many milliseconds: starting a pod changes dozens of things at once. */
const restMs = 100;

export interface KernelObserverOptions<S> {
  readonly name: string;
  readonly type: ResourceType<S>;
  readonly output: DeclaredOutput;
  /** Changes that make another look worthwhile. */
  readonly groups: readonly NetworkGroup[];
  /** @default none */
  readonly inputs?: readonly Input[];
  /** Everything there is now, by id. */
  observe(context: ControllerContext): Promise<Iterable<readonly [id: string, spec: S]>>;
}

/** Shows a part of the kernel's network state as resources, and follows its changes. */
export function kernelObserver<S>(
  machine: Pick<Machine, "linux" | "clock">,
  options: KernelObserverOptions<S>,
): Controller {
  const { name, type, output } = options;

  async function show(context: ControllerContext): Promise<void> {
    context.startTrackingOutputs();
    for (const [id, spec] of await options.observe(context)) await context.modify(type, id, () => spec);
    await context.cleanupOutputs(output);
    context.resetRestartBackoff();
  }

  return {
    name,
    inputs: options.inputs ?? [],
    outputs: [output],
    async run(context) {
      const { signal } = context;
      using monitor = await machine.linux.networks.here.monitor({ groups: options.groups, signal });
      let lastMs = Number.NEGATIVE_INFINITY;
      let waiting = false;
      let failure: unknown;

      const look = (): void => {
        if (waiting) return;
        waiting = true;
        const dueMs = lastMs + restMs - machine.clock.monotonic();
        context.queueReconcile(dueMs > 0 ? dueMs : undefined);
      };
      const follow = async (): Promise<void> => {
        try {
          for await (const _change of monitor) look();
          failure = new OsError({ kind: "unavailable", message: "The kernel stopped telling of network changes" });
        } catch (err) {
          failure = err;
        }
        context.queueReconcile();
      };
      const following = follow();

      for await (const _event of context.events) {
        if (failure !== undefined && !signal.aborted) throw failure;
        waiting = false;
        lastMs = machine.clock.monotonic();
        await show(context);
      }
      await following;
    },
  };
}
