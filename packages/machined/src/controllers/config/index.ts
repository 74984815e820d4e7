import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { acquireController } from "./acquire.ts";
import { configHistoryController } from "./history.ts";
import { machineTypeController } from "./machine-type.ts";
import { persistenceController } from "./persistence.ts";

/** Controllers that acquire, persist and read the configuration. */
export const configControllers: readonly ControllerRow[] = [
  effect(acquireController),
  effect(configHistoryController),
  pure(machineTypeController),
  effect(persistenceController),
];
