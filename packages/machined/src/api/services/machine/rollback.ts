import type { Platform } from "../../../platform.ts";
import { refuseWithoutInstaller } from "../../access/mode-support.ts";
import type { MachineMethod } from "./method.ts";

export function rollback(machine: { readonly platform: Platform }): MachineMethod<"rollback"> {
  return () => refuseWithoutInstaller(machine);
}
