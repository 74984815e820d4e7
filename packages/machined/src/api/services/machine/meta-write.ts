import type { Platform } from "../../../platform.ts";
import { refuseWithoutInstaller } from "../../access/mode-support.ts";
import type { MachineMethod } from "./method.ts";

export function metaWrite(machine: { readonly platform: Platform }): MachineMethod<"metaWrite"> {
  return () => refuseWithoutInstaller(machine);
}
