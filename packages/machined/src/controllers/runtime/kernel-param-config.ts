import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { KernelParamSpec } from "@talos-ts/machinery/resources/runtime";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Kernel parameters the configuration asks for. */
export function kernelParamConfigController(): Controller {
  return reduceController({
    name: "runtime.KernelParamConfigController",
    inputs: [activeConfigInput],
    outputs: [shared(KernelParamSpec)],
    async reduce(context) {
      const { sysctls = {}, sysfs = {} } = (await activeConfig(context))?.machine ?? {};
      const wanted = [
        ...Object.entries(sysctls).map(([key, value]) => [`proc.sys.${key}`, value] as const),
        ...Object.entries(sysfs).map(([key, value]) => [`sys.${key}`, value] as const),
      ];
      return wanted.map(([id, value]) => createResource(KernelParamSpec, id, KernelParamSpec.spec({ value })));
    },
  });
}
