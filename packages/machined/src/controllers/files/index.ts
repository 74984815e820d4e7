import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { criBaseRuntimeSpecController } from "./cri-base-runtime-spec.ts";
import { criConfigPartsController } from "./cri-config-parts.ts";
import { criRegistryConfigController } from "./cri-registry-config.ts";
import { etcFileController } from "./etc-file.ts";
import { udevReloadController } from "./udev-reload.ts";
import { udevRuleController } from "./udev-rule.ts";

/** Controllers of files in `/etc`. */
export const filesControllers: readonly ControllerRow[] = [
  pure(criBaseRuntimeSpecController),
  effect(criConfigPartsController),
  effect(criRegistryConfigController),
  effect(etcFileController),
  effect((machine) => udevReloadController(machine)),
  pure(udevRuleController),
];
