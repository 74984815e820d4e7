import type { Controller, QueueController } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { mountController } from "./mount.ts";
import { mountRequestController } from "./mount-request.ts";
import { mountStatusController } from "./mount-status.ts";
import { volumeConfigController } from "./volume-config.ts";
import { volumeManagerController } from "./volume-manager.ts";

export function blockControllers(machine: Machine): readonly (Controller | QueueController)[] {
  return [
    mountController(machine),
    mountRequestController(),
    mountStatusController(),
    volumeConfigController(),
    volumeManagerController(),
  ];
}
