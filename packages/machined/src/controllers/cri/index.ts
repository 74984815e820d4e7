import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { imageCacheConfigController } from "./image-cache-config.ts";
import { registriesConfigController } from "./registries-config.ts";
import { seccompProfileFileController } from "./seccomp-profile-file.ts";
import { seccompProfileController } from "./seccomp-profile.ts";

/** Controllers of the container runtime. */
export const criControllers: readonly ControllerRow[] = [
  effect((machine) => imageCacheConfigController(machine)),
  pure(registriesConfigController),
  pure(seccompProfileController),
  effect(seccompProfileFileController),
];
