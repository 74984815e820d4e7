import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { pciDriverRebindConfigController } from "./pci-driver-rebind-config.ts";
import { pciDriverRebindController } from "./pci-driver-rebind.ts";
import { systemInfoController } from "./system-info.ts";

/** Controllers of devices. */
export const hardwareControllers: readonly ControllerRow[] = [
  pure(pciDriverRebindConfigController),
  effect(pciDriverRebindController),
  effect(systemInfoController),
];
