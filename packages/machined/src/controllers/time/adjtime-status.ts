import { exclusive, type Controller } from "@talos-ts/cosi";
import type { ClockState, Linux } from "@talos-ts/linux";
import { AdjtimeStatus, type AdjtimeStatusSpec } from "@talos-ts/machinery/resources/time";
import type { Platform } from "../../platform.ts";

const intervalMs = 30_000;

/** Names of the STA_* bits, by bit (adjtimex(2)). */
const statusNames = [
  "STA_PLL",
  "STA_PPSFREQ",
  "STA_PPSTIME",
  "STA_FLL",
  "STA_INS",
  "STA_DEL",
  "STA_UNSYNC",
  "STA_FREQHOLD",
  "STA_PPSSIGNAL",
  "STA_PPSJITTER",
  "STA_PPSWANDER",
  "STA_PPSERROR",
  "STA_CLOCKERR",
  "STA_NANO",
  "STA_MODE",
  "STA_CLK",
] as const;

const stateNames = ["TIME_OK", "TIME_INS", "TIME_DEL", "TIME_OOP", "TIME_WAIT", "TIME_ERROR"] as const;

/** Publishes the kernel's view of its clock every 30 seconds. The clock of a container is not its own, so nothing is published. */
export function adjtimeStatusController({
  platform,
  linux,
}: {
  readonly platform: Platform;
  readonly linux: Pick<Linux, "clock">;
}): Controller {
  return {
    name: "time.AdjtimeStatusController",
    inputs: [],
    outputs: [exclusive(AdjtimeStatus)],
    async run(context) {
      if (platform.mode === "container") return;
      for await (const _event of context.events) {
        const spec = adjtimeSpec(linux.clock.state());
        await context.modify(AdjtimeStatus, AdjtimeStatus.id, () => spec);
        context.resetRestartBackoff();
        context.queueReconcile(intervalMs);
      }
    },
  };
}

function adjtimeSpec(state: ClockState): AdjtimeStatusSpec {
  return AdjtimeStatus.spec({
    offsetMs: Number(state.offsetNanoseconds) / 1e6,
    // Parts per million in units of 2⁻¹⁶, as a factor around one.
    frequencyAdjustmentRatio: 1 + Number(state.frequency) / 65_536 / 1e6,
    maxErrorMs: Number(state.maxErrorMicroseconds) / 1e3,
    estErrorMs: Number(state.estimatedErrorMicroseconds) / 1e3,
    status: statusNames.filter((_name, bit) => (state.status & (1 << bit)) !== 0).join(" | "),
    constant: Number(state.timeConstant),
    syncStatus: state.synchronized,
    state: stateNames[state.leapState] ?? String(state.leapState),
  });
}
