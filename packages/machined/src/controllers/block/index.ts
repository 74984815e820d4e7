import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { mountRequestController } from "./mount-request.ts";
import { mountController } from "./mount.ts";
import { userVolumeConfigController } from "./user-volume-config.ts";
import { volumeConfigController } from "./volume-config.ts";
import { volumeManagerController } from "./volume-manager.ts";
import { volumeMountStatusController } from "./volume-mount-status.ts";
import { zswapConfigController } from "./zswap-config.ts";
import { zswapStatusController } from "./zswap-status.ts";

/** Controllers of volumes and their mounts. */
export const blockControllers: readonly ControllerRow[] = [
  effect(mountRequestController),
  effect(mountController),
  pure(userVolumeConfigController),
  pure(volumeConfigController),
  effect(volumeManagerController),
  effect(volumeMountStatusController),
  pure(zswapConfigController),
  effect(zswapStatusController),
];
