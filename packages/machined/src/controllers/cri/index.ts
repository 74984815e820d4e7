import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { imageCacheConfigController } from "./image-cache-config.ts";
import { registriesConfigController } from "./registries-config.ts";

/** Controllers of the container runtime. */
export const criControllers: readonly ControllerRow[] = [
  effect((machine) => imageCacheConfigController(machine)),
  pure(registriesConfigController),
];
