import { refuseWithoutInstaller } from "../../access/mode-support.ts";
import type { MachineMethod } from "./method.ts";
import type { Platform } from "../../../platform.ts";

export const metaWrite =
  (machine: { readonly platform: Platform }): MachineMethod<"metaWrite"> =>
  () =>
    refuseWithoutInstaller(machine);

export const metaDelete =
  (machine: { readonly platform: Platform }): MachineMethod<"metaDelete"> =>
  () =>
    refuseWithoutInstaller(machine);
