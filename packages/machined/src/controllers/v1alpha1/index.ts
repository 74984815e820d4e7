import type { Controller } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { serviceController } from "./service.ts";

/** Controllers that show the parts of the machine that are not resources themselves. */
export function v1alpha1Controllers(machine: Machine): readonly Controller[] {
  return [serviceController(machine)];
}
