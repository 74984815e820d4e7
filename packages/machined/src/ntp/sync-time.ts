import { describeError, formatGoDuration, type Clock } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { KernelClock } from "@talos-ts/linux";
import { clockAdjustment } from "./clock-adjustment.ts";
import { nextPollSeconds } from "./poll-interval.ts";
import { queryTime, type TimeSample } from "./query-time.ts";
import { createSourceSelector } from "./select-source.ts";
import { createSpikeFilter } from "./spike-filter.ts";
import { resolveTimeServer } from "./time-server.ts";

/** A change of the clock above this makes a new epoch: what was computed from the time before is void. In nanoseconds. */
const epochLimit = 15n * 60n * 1_000_000_000n;

/** Settings of `syncTime`. */
export interface SyncTimeOptions {
  /** The preferred server first. */
  readonly servers: readonly string[];
  readonly clock: Clock;
  readonly kernelClock: KernelClock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Called whenever the clock was adjusted. `newEpoch` is true after a step of more than 15 minutes. */
  readonly onAdjusted: (newEpoch: boolean) => void;
}

/** Keeps the clock right by asking time servers, as a client of RFC 5905 does. Resolves when the signal aborts. */
export async function syncTime(options: SyncTimeOptions): Promise<void> {
  const { servers, clock, kernelClock, logger, signal } = options;
  const filter = createSpikeFilter();
  const query = { clock, kernelClock, signal };
  const selector = createSourceSelector({
    servers,
    resolve: resolveTimeServer,
    query: (source) => queryTime(source, query),
    logger,
    signal,
  });
  let pollSeconds = 0;

  const adjust = (sample: TimeSample, server: string): void => {
    const adjustment = clockAdjustment(sample, { jitter: filter.jitter, pollSeconds });
    const step = adjustment.stepNanoseconds !== undefined;
    const how = `${step ? "jump" : "slew"}) by ${formatGoDuration(sample.offset)} via ${server}`;
    try {
      kernelClock.adjust(adjustment);
    } catch (err) {
      logger.error(`error adjusting time (${how}`, { error: describeError(err) });
      return;
    }
    logger[step ? "info" : "debug"](`adjusting time (${how}`);
    if (step) filter.reset();
    options.onAdjusted(sample.offset > epochLimit || sample.offset < -epochLimit);
  };

  while (!signal.aborted) {
    const result = await selector.next();
    if (signal.aborted) return;
    if (result.source === undefined) {
      pollSeconds = nextPollSeconds(pollSeconds, { kind: result.rateLimited ? "rate-limited" : "no-answer" });
    } else {
      const { offset } = result.sample;
      const spike = filter.isSpike(result.sample);
      pollSeconds = nextPollSeconds(pollSeconds, { kind: "sample", offset, spike });
      if (!spike) adjust(result.sample, result.source.name);
    }
    await clock.sleep(pollSeconds * 1000, signal).catch(() => undefined);
  }
}
