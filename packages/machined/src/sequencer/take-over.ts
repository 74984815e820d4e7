import type { SequenceName } from "../sequence.ts";

/**
 * Sequences that may replace a running one.
 *
 * | running    | may be replaced by                                             |
 * |------------|----------------------------------------------------------------|
 * | initialize | maintenanceUpgrade, reboot, emergencyVolumeCleanup             |
 * | boot       | reboot, reset, upgrade, emergencyVolumeCleanup                 |
 * | reboot     | reboot                                                         |
 * | reset      | reboot                                                         |
 *
 * Everything else has to wait: the asker is told that the machine is locked.
 */
const takeOver: Partial<Record<SequenceName, readonly SequenceName[]>> = {
  initialize: ["maintenanceUpgrade", "reboot", "emergencyVolumeCleanup"],
  boot: ["reboot", "reset", "upgrade", "emergencyVolumeCleanup"],
  reboot: ["reboot"],
  reset: ["reboot"],
};

export function canTakeOver(running: SequenceName, next: SequenceName): boolean {
  return takeOver[running]?.includes(next) ?? false;
}
