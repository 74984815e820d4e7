import type { Controller, QueueController } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { etcFileController } from "./etc-file.ts";

export function filesControllers(machine: Machine): readonly (Controller | QueueController)[] {
  return [etcFileController(machine)];
}
