import type { Controller, QueueController } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { criBaseRuntimeSpecController } from "./cri-base-runtime-spec.ts";
import { criConfigPartsController } from "./cri-config-parts.ts";
import { criRegistryConfigController } from "./cri-registry-config.ts";
import { etcFileController } from "./etc-file.ts";

export function filesControllers(machine: Machine): readonly (Controller | QueueController)[] {
  return [
    criBaseRuntimeSpecController(),
    criConfigPartsController(machine),
    criRegistryConfigController(machine),
    etcFileController(machine),
  ];
}
