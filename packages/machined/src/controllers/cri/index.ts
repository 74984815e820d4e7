import type { Controller, QueueController } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { registriesConfigController } from "./registries-config.ts";

export function criControllers(_machine: Machine): readonly (Controller | QueueController)[] {
  return [registriesConfigController()];
}
