import type { Clock } from "@talos-ts/base";
import { strong, type Controller, type ControllerContext, type ResourceType } from "@talos-ts/cosi";
import type { Link, NetworkGroup, Linux } from "@talos-ts/linux";
import { followKernel } from "./follow-kernel.ts";

export interface KernelApplierOptions<S> {
  readonly name: string;
  readonly type: ResourceType<S>;
  /** Changes that may undo or allow something. */
  readonly groups: readonly NetworkGroup[];
  /** Makes the kernel agree with a spec; called at every change, so it must bear repetition. */
  apply(spec: S, links: readonly Link[], context: ControllerContext): Promise<void>;
  /** Undoes it before the spec goes. */
  remove(spec: S, links: readonly Link[], context: ControllerContext): Promise<void>;
}

/** Brings the kernel in line with specs, and keeps it so. */
export function kernelApplier<S>(
  machine: { readonly linux: Linux; readonly clock: Clock },
  options: KernelApplierOptions<S>,
): Controller {
  const { name, type } = options;

  async function handleAll(context: ControllerContext): Promise<void> {
    const links = await machine.linux.networks.here.links();
    for (const { metadata, spec } of await context.list(type)) {
      const held = metadata.finalizers.includes(name);
      if (metadata.phase === "running") {
        if (!held) await context.addFinalizer(metadata, name);
        await options.apply(spec, links, context);
      } else if (held) {
        await options.remove(spec, links, context);
        await context.removeFinalizer(metadata, name);
      }
    }
  }

  return {
    name,
    inputs: [strong(type)],
    outputs: [],
    async run(context) {
      using kernel = await followKernel(machine, context, options.groups);
      for await (const _event of context.events) {
        kernel.looking();
        await handleAll(context);
        context.resetRestartBackoff();
      }
    },
  };
}
