import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { etcLabel } from "../internal/etc-label.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { baseRuntimeSpec, mergeJson, type Json } from "./internal/base-runtime-spec.ts";

export const baseSpecFile = "cri/conf.d/base-spec.json";

/** The specification every container starts from, with the changes of the configuration. */
export function criBaseRuntimeSpecController(): Controller {
  return reduceController({
    name: "files.CRIBaseRuntimeSpecController",
    inputs: [activeConfigInput],
    outputs: [shared(EtcFileSpec)],
    async reduce(context) {
      const machine = (await activeConfig(context))?.machine;
      if (machine === undefined) return undefined;
      // The configuration was read from YAML, so what it holds is JSON.
      const overrides = (machine.baseRuntimeSpecOverrides ?? {}) as Json;
      const contents = JSON.stringify(mergeJson(baseRuntimeSpec, overrides));
      return [createResource(EtcFileSpec, baseSpecFile, { contents, mode: 0o600, selinuxLabel: etcLabel })];
    },
  });
}
