import type { Platform } from "../../../platform.ts";
import { refuseWithoutInstaller } from "../../access/mode-support.ts";
import type { MachineMethod } from "./method.ts";

export function metaDelete(machine: { readonly platform: Platform }): MachineMethod<"metaDelete"> {
  return () => refuseWithoutInstaller(machine);
}
