import { pure, type ControllerRow } from "../controller-row.ts";
import { registriesConfigController } from "./registries-config.ts";

/** Controllers of the container runtime. */
export const criControllers: readonly ControllerRow[] = [pure(registriesConfigController)];
