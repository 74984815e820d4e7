import type { Clock } from "@talos-ts/base";
import type { Controller, ControllerContext, DeclaredOutput, Input, ResourceType } from "@talos-ts/cosi";
import type { NetworkGroup, Linux } from "@talos-ts/linux";
import { followKernel } from "./follow-kernel.ts";

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
  machine: { readonly linux: Linux; readonly clock: Clock },
  options: KernelObserverOptions<S>,
): Controller {
  const { name, type, output } = options;
  return {
    name,
    inputs: options.inputs ?? [],
    outputs: [output],
    async run(context) {
      using kernel = await followKernel(machine, context, options.groups);
      for await (const _event of context.events) {
        kernel.looking();
        context.startTrackingOutputs();
        for (const [id, spec] of await options.observe(context)) await context.modify(type, id, () => spec);
        await context.cleanupOutputs(output);
        context.resetRestartBackoff();
      }
    },
  };
}
