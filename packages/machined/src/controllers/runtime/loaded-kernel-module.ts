import { exclusive, kindOf, reconcileController, weak, type Controller } from "@talos-ts/cosi";
import type { TextFiles } from "@talos-ts/linux";
import {
  KernelModuleSpec,
  LoadedKernelModule,
  SettingProblem,
  type LoadedKernelModuleSpec,
} from "@talos-ts/machinery/resources/runtime";
import type { Platform } from "../../platform.ts";

/** Time between looks at the list of the kernel, which announces no changes, in ms. */
const intervalMs = 30_000;

/** Publishes the modules that the kernel has loaded. Those of the host are nothing of a container. */
export function loadedKernelModuleController(machine: {
  readonly platform: Pick<Platform, "mode">;
  readonly linux: { readonly textFiles: Pick<TextFiles, "read"> };
}): Controller {
  return reconcileController({
    name: "runtime.LoadedKernelModuleController",
    // Not read: they change when modules are loaded.
    inputs: [weak(KernelModuleSpec), weak(SettingProblem)],
    outputs: [exclusive(LoadedKernelModule)],
    cleanup: [kindOf(LoadedKernelModule)],
    async reconcile(context) {
      if (machine.platform.mode === "container") return;
      context.queueReconcile(intervalMs);
      const modules = parseModules(await machine.linux.textFiles.read("/proc/modules"));
      for (const [name, spec] of modules) await context.put(LoadedKernelModule, name, () => spec);
    },
  });
}

/** Reads lines as `overlay 151552 2 other,third, Live 0x0000000000000000`, by the name of the module. */
function parseModules(text: string): ReadonlyMap<string, LoadedKernelModuleSpec> {
  const modules = text.split("\n").flatMap((line): readonly (readonly [string, LoadedKernelModuleSpec])[] => {
    const [name = "", size, references, needed = "", state, address] = line.split(/\s+/);
    if (state === undefined || address === undefined) return [];
    const dependencies = needed.split(",").filter((each) => each !== "" && each !== "-");
    const counts = { size: Number(size), referenceCount: Number(references) };
    return [[name, LoadedKernelModule.spec({ ...counts, dependencies, state, address })]];
  });
  return new Map(modules);
}
