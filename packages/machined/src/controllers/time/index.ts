import type { Controller, QueueController } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { timeSyncController } from "./sync.ts";

export function timeControllers(machine: Machine): readonly (Controller | QueueController)[] {
  return [timeSyncController(machine)];
}
