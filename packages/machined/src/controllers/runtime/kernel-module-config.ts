import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { KernelModuleSpec } from "@talos-ts/machinery/resources/runtime";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Publishes the kernel modules that the configuration asks for: `machine.kernel.modules`. */
export function kernelModuleConfigController(): Controller {
  return reduceController({
    name: "runtime.KernelModuleConfigController",
    inputs: [activeConfigInput],
    outputs: [exclusive(KernelModuleSpec)],
    async reduce(context) {
      const modules = (await activeConfig(context))?.machine?.kernel?.modules ?? [];
      return modules.flatMap(({ name = "", parameters = [] }) =>
        name === "" ? [] : [createResource(KernelModuleSpec, name, KernelModuleSpec.spec({ name, parameters }))],
      );
    },
  });
}
