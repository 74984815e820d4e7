import type { Platform } from "../../../platform.ts";
import { refuseWithoutInstaller } from "../../access/mode-support.ts";
import type { MachineMethod } from "./method.ts";

export function upgrade(machine: { readonly platform: Platform }): MachineMethod<"upgrade"> {
  return () => refuseWithoutInstaller(machine);
}
