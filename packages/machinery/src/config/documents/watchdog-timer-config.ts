import { document } from "../schema/document.ts";
import { durationFormat } from "../schema/formats.ts";
import { goDurationMs } from "@talos-ts/base";
import { string } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";

const shortestMs = 10_000;

export const watchdogTimerConfig = document({
  kind: "WatchdogTimerConfig",
  schemaName: "runtime.WatchdogTimerV1Alpha1",
  doc: "The hardware watchdog that resets the machine when the system hangs.",
  fields: {
    device: property(string(), "Path of the watchdog.", { always: true, example: "/dev/watchdog0" }),
    timeout: property(durationFormat, "How long the system may hang; at least ten seconds.", { default: "1m0s" }),
  },
  validate: ({ device, timeout }, check) => {
    if (device === undefined) return check.error(["device"], "watchdog device: empty value");
    if (timeout !== undefined && goDurationMs(timeout) < shortestMs) {
      check.error(["timeout"], "watchdog timeout: minimum value is 10s");
    }
  },
});
