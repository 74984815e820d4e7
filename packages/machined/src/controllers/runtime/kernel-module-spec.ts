import { describeError } from "@talos-ts/base";
import { kindOf, reconcileController, shared, weak, type Controller } from "@talos-ts/cosi";
import { runTool } from "@talos-ts/host";
import type { TextFiles } from "@talos-ts/linux";
import { KernelModuleSpec, SettingProblem, type KernelModuleSpecSpec } from "@talos-ts/machinery/resources/runtime";
import type { Platform } from "../../platform.ts";

/** Time until another attempt to load a module, in ms: an extension may bring it. */
const retryMs = 60_000;

/** Loads a module and those it needs; one that is loaded already is no error. */
export type LoadModule = (module: KernelModuleSpecSpec, signal: AbortSignal) => Promise<void>;

const modprobe: LoadModule = async ({ name, parameters }, signal) => {
  await runTool("/usr/sbin/modprobe", ["--", name, ...parameters], { signal });
};

export interface KernelModuleOptions {
  readonly platform: Pick<Platform, "mode">;
  readonly linux: { readonly textFiles: Pick<TextFiles, "list"> };
  /** @default modprobe(8) */
  readonly load?: LoadModule;
}

/**
 * Loads kernel modules with their parameters; modules are never unloaded. A container cannot load any: one that the host has not loaded
 * is a problem.
 */
export function kernelModuleSpecController({ platform, linux, load = modprobe }: KernelModuleOptions): Controller {
  /** Parameters that modules were loaded with. */
  const loaded = new Map<string, string>();

  async function isPresent(name: string): Promise<boolean> {
    // The kernel writes dashes as underscores.
    return await linux.textFiles.list(`/sys/module/${name.replaceAll("-", "_")}`).then(
      () => true,
      () => false,
    );
  }

  async function problemOf(module: KernelModuleSpecSpec, signal: AbortSignal): Promise<string | undefined> {
    if (platform.mode === "container") {
      if (await isPresent(module.name)) return undefined;
      return "a container cannot load modules: load it on the host";
    }
    const parameters = module.parameters.join(" ");
    const before = loaded.get(module.name);
    if (before === parameters) return undefined;
    if (before !== undefined) return `it was loaded with other parameters (${before === "" ? "none" : before}): reboot`;
    try {
      await load(module, signal);
      loaded.set(module.name, parameters);
      return undefined;
    } catch (err) {
      signal.throwIfAborted();
      return describeError(err);
    }
  }

  return reconcileController({
    name: "runtime.KernelModuleSpecController",
    inputs: [weak(KernelModuleSpec)],
    outputs: [shared(SettingProblem)],
    cleanup: [kindOf(SettingProblem)],
    async reconcile(context) {
      for (const { metadata, spec } of await context.list(KernelModuleSpec)) {
        if (metadata.phase !== "running") continue;
        const reason = await problemOf(spec, context.signal);
        if (reason === undefined) continue;
        const setting = `kernel module ${spec.name}`;
        await context.put(SettingProblem, `module/${spec.name}`, () => SettingProblem.spec({ setting, reason }));
        context.queueReconcile(retryMs);
      }
    },
  });
}
