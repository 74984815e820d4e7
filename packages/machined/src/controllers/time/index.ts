import { effect, type ControllerRow } from "../controller-row.ts";
import { adjtimeStatusController } from "./adjtime-status.ts";
import { timeSyncController } from "./time-sync.ts";

/** Controllers of the system clock. */
export const timeControllers: readonly ControllerRow[] = [effect(adjtimeStatusController), effect(timeSyncController)];
