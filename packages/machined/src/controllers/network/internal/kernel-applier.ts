import { describeError, OsError, type Clock } from "@talos-ts/base";
import {
  kindOf,
  shared,
  strong,
  type Controller,
  type ControllerContext,
  type DeclaredOutput,
  type Resource,
  type ResourceType,
} from "@talos-ts/cosi";
import type { Link, NetworkGroup, Linux } from "@talos-ts/linux";
import { NetworkProblem, type NetworkProblemSpec } from "@talos-ts/machinery/resources/network";
import { followKernel } from "./follow-kernel.ts";

/** A spec that failed is tried again after this time, even when nothing in the kernel changes. */
const retryMs = 10_000;

export interface KernelApplierOptions<S> {
  readonly name: string;
  readonly type: ResourceType<S>;
  /** Name of a spec in a problem, as `route`. */
  readonly noun: string;
  /** Changes that may undo or allow something. */
  readonly groups: readonly NetworkGroup[];
  /** Resources that `apply` and `remove` write, besides problems. */
  readonly outputs?: readonly DeclaredOutput[];
  /** Order in which specs are applied; removals go the other way. @default by id */
  readonly order?: (specs: readonly Resource<S>[]) => readonly Resource<S>[];
  /**
   * Makes the kernel agree with a spec; called at every change, so it must bear repetition. The links are those at the start
   * of the round.
   */
  apply(spec: S, links: readonly Link[], context: ControllerContext, id: string): Promise<void>;
  /** Undoes it before the spec goes. */
  remove(spec: S, links: readonly Link[], context: ControllerContext, id: string): Promise<void>;
}

/**
 * Brings the kernel in line with specs, and keeps it so. A spec that fails does not hold up the others: it becomes a
 * `NetworkProblem`, and is tried again.
 */
export function kernelApplier<S>(
  machine: { readonly linux: Linux; readonly clock: Clock },
  options: KernelApplierOptions<S>,
): Controller {
  const { name, type, noun, order = (specs: readonly Resource<S>[]) => specs } = options;

  /** Resolves to whether everything could be applied. */
  async function handleAll(context: ControllerContext): Promise<boolean> {
    const problems = new Map<string, NetworkProblemSpec>();
    const attempt = async (id: string, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (err) {
        problems.set(`${noun}/${id}`, problemOf(`${noun} ${id}`, err));
      }
    };
    const links = await machine.linux.networks.here.links();
    const ordered = order(await context.list(type));
    for (const { metadata, spec } of ordered.toReversed()) {
      if (metadata.phase === "running" || !metadata.finalizers.includes(name)) continue;
      await attempt(metadata.id, async () => {
        await options.remove(spec, links, context, metadata.id);
        await context.removeFinalizer(metadata, name);
      });
    }
    for (const { metadata, spec } of ordered) {
      if (metadata.phase !== "running") continue;
      if (!metadata.finalizers.includes(name)) await context.addFinalizer(metadata, name);
      await attempt(metadata.id, () => options.apply(spec, links, context, metadata.id));
    }
    await publish(context, problems);
    return problems.size === 0;
  }

  async function publish(context: ControllerContext, problems: ReadonlyMap<string, NetworkProblemSpec>): Promise<void> {
    context.startTrackingOutputs();
    for (const [id, problem] of problems) {
      const known = await context.find(NetworkProblem, id);
      if (known?.spec.reason !== problem.reason) context.logger.warn(`cannot apply ${problem.subject}`, problem);
      await context.modify(NetworkProblem, id, () => problem);
    }
    await context.cleanupOutputs(kindOf(NetworkProblem));
  }

  return {
    name,
    inputs: [strong(type)],
    outputs: [shared(NetworkProblem), ...(options.outputs ?? [])],
    async run(context) {
      using kernel = await followKernel(machine, context, options.groups);
      for await (const _event of context.events) {
        kernel.looking();
        if (!(await handleAll(context))) kernel.lookAgain(retryMs);
        context.resetRestartBackoff();
      }
    },
  };
}

function problemOf(subject: string, err: unknown): NetworkProblemSpec {
  const next = err instanceof OsError ? err.next : undefined;
  return { subject, reason: describeError(err), next: next ?? "talosctl get networkproblems -o yaml" };
}
