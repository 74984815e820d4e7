import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { devicesController } from "./devices.ts";
import { discoveryController } from "./discovery.ts";
import { disksController } from "./disks.ts";
import { mountRequestController } from "./mount-request.ts";
import { mountController } from "./mount.ts";
import { systemDiskController } from "./system-disk.ts";
import { userVolumeConfigController } from "./user-volume-config.ts";
import { volumeConfigController } from "./volume-config.ts";
import { volumeManagerController } from "./volume-manager.ts";
import { volumeMountStatusController } from "./volume-mount-status.ts";
import { zswapConfigController } from "./zswap-config.ts";
import { zswapStatusController } from "./zswap-status.ts";

/** Controllers of volumes and their mounts. */
export const blockControllers: readonly ControllerRow[] = [
  effect(devicesController),
  effect((machine) => discoveryController(machine)),
  effect(disksController),
  effect(mountRequestController),
  effect(mountController),
  effect(systemDiskController),
  pure(userVolumeConfigController),
  pure(volumeConfigController),
  effect((machine) => volumeManagerController(machine)),
  effect(volumeMountStatusController),
  pure(zswapConfigController),
  effect(zswapStatusController),
];
