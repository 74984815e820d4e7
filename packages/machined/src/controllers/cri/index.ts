import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { containerdImageGCController } from "./containerd-image-gc.ts";
import { criImageGCController } from "./cri-image-gc.ts";
import { imageCacheConfigController } from "./image-cache-config.ts";
import { registriesConfigController } from "./registries-config.ts";
import { seccompProfileFileController } from "./seccomp-profile-file.ts";
import { seccompProfileController } from "./seccomp-profile.ts";

/** Controllers of the container runtime. */
export const criControllers: readonly ControllerRow[] = [
  effect(containerdImageGCController),
  effect(criImageGCController),
  effect((machine) => imageCacheConfigController(machine)),
  pure(registriesConfigController),
  pure(seccompProfileController),
  effect(seccompProfileFileController),
];
