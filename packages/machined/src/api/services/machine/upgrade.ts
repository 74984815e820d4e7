import { refuseWithoutInstaller } from "../../access/mode-support.ts";
import type { MachineMethod } from "./method.ts";
import type { Platform } from "../../../platform.ts";

export const upgrade =
  (machine: { readonly platform: Platform }): MachineMethod<"upgrade"> =>
  () =>
    refuseWithoutInstaller(machine);

export const rollback =
  (machine: { readonly platform: Platform }): MachineMethod<"rollback"> =>
  () =>
    refuseWithoutInstaller(machine);
