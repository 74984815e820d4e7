import type { Linux } from "@talos-ts/linux";
import { describeError, OsError } from "@talos-ts/base";
import { exclusive, kindOf, reconcileController, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import { KernelParamDefaultSpec, KernelParamSpec, KernelParamStatus } from "@talos-ts/machinery/resources/runtime";
import { kernelParamPath } from "./internal/kernel-param-path.ts";

/** A parameter that was set: its value now, and the one to put back. */
interface Applied {
  readonly value: string;
  readonly before: string;
}

/** Sets kernel parameters, those of the configuration before the defaults, and puts old values back. */
export function kernelParamSpecController({ linux }: { readonly linux: Linux }): Controller {
  const applied = new Map<string, Applied>();
  const { textFiles } = linux;

  async function set(id: string, value: string): Promise<Applied> {
    const present = applied.get(id);
    if (present?.value === value) return present;
    const path = kernelParamPath(id);
    const before = present?.before ?? (await textFiles.read(path)).trim();
    await textFiles.write(path, value);
    applied.set(id, { value, before });
    return { value, before };
  }

  async function reset(id: string, { before }: Applied): Promise<void> {
    await textFiles.write(kernelParamPath(id), before);
    applied.delete(id);
  }

  async function show(context: ControllerContext, id: string, wish: Wish): Promise<void> {
    try {
      const { value, before } = await set(id, wish.value);
      const status = KernelParamStatus.spec({ current: value, default: before });
      await context.put(KernelParamStatus, id, () => status);
    } catch (err) {
      if (!wish.ignoreErrors) throw err;
      // A kernel without IPv6, a container whose kernel is not its own: the node does without.
      context.logger.debug("kernel parameter not set", { id, error: describeError(err) });
      await context.put(KernelParamStatus, id, () => KernelParamStatus.spec({ unsupported: true }));
    }
  }

  return reconcileController({
    name: "runtime.KernelParamSpecController",
    inputs: [weak(KernelParamDefaultSpec), weak(KernelParamSpec)],
    outputs: [exclusive(KernelParamStatus)],
    cleanup: [kindOf(KernelParamStatus)],
    async reconcile(context) {
      const wishes = await wishesOf(context);
      const failures: string[] = [];
      const attempt = async (work: Promise<void>): Promise<void> => {
        await work.catch((err: unknown) => failures.push(describeError(err)));
      };
      for (const [id, wish] of wishes) await attempt(show(context, id, wish));
      for (const [id, value] of applied) if (!wishes.has(id)) await attempt(reset(id, value));
      if (failures.length === 0) return;
      throw new OsError({ kind: "internal", code: "kernel-param/not-set", message: failures.join("; ") });
    },
  });
}

interface Wish {
  readonly value: string;
  readonly ignoreErrors: boolean;
}

async function wishesOf(context: ControllerContext): Promise<ReadonlyMap<string, Wish>> {
  const all = [...(await context.list(KernelParamDefaultSpec)), ...(await context.list(KernelParamSpec))];
  return new Map(
    all.filter(({ metadata }) => metadata.phase === "running").map(({ metadata, spec }) => [metadata.id, spec]),
  );
}
