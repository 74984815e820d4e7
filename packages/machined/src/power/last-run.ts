import { describeError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import {
  readDeath,
  readPowerState,
  writePowerState,
  type Death,
  type PowerState,
} from "@talos-ts/machinery/power-record";

/** End of a run that nobody asked for. */
interface UncleanEnd {
  /** As whoever started the machine again found out; `undefined` when nobody watched, as after a power cut. */
  readonly death: Death | undefined;
}

/** The record that a machine shares with its host: how the last run ended, and whether this one was meant to. */
export interface RunRecord {
  /** End of the last run without a shutdown; `undefined` when the machine was shut down or rebooted, or nobody knows. */
  readonly uncleanEnd: UncleanEnd | undefined;
  /** Says that the machine ends on purpose. To be called right before it does. */
  end(state: Exclude<PowerState, "on">): Promise<void>;
}

/**
 * Reads how the last run ended and says that this one has begun. Without the folder, as under a host that keeps no record,
 * nothing is known and nothing is written.
 */
export async function beginRun(directory: string, logger: Logger): Promise<RunRecord> {
  const write = async (state: PowerState): Promise<void> => {
    await writePowerState(directory, state).catch((err: unknown) => {
      if ((err as NodeJS.ErrnoException).code !== "ENOENT")
        logger.warn("cannot write the power state for the host", { state, error: describeError(err) });
    });
  };
  const unclean = (await readPowerState(directory)) === "on";
  const uncleanEnd = unclean ? { death: await readDeath(directory, "last-state") } : undefined;
  if (uncleanEnd !== undefined) {
    logger.warn("the last run ended without a shutdown", { reason: uncleanEnd.death?.reason ?? "unknown" });
  }
  await write("on");
  return { uncleanEnd, end: write };
}
