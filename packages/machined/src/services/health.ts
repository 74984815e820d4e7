import { describeError, OsError, timeLimit, type Clock } from "@talos-ts/base";

/** Interval, initial delay and timeout of the health checks of a service. */
export interface HealthSettings {
  readonly initialDelayMs: number;
  readonly periodMs: number;
  readonly timeoutMs: number;
}

/** A machine under load answers late, and a service that does not answer at all is told a few seconds later all the same. */
const defaultHealthSettings: HealthSettings = { initialDelayMs: 1000, periodMs: 5000, timeoutMs: 5000 };

export interface HealthCheck {
  readonly settings?: Partial<HealthSettings>;
  /** A service that was well is ended after so many failures in a row, for its runner to start it anew. @default never */
  readonly restartAfterFailures?: number;
  /** Resolves when the service is well; the message of the error is shown to people. */
  check(signal: AbortSignal): Promise<void>;
}

/** `undefined` until the first answer. */
export interface HealthStatus {
  readonly healthy: boolean | undefined;
  readonly message: string;
  readonly lastChangeMs: number;
}

/** Bounds of the interval at which a service that starts is asked. */
const startPeriodMs = { least: 100, most: 1000 };
/** Part of the time since the start that may be lost by asking too late. */
const startPart = 0.1;

/**
 * Asks until the signal aborts, reporting every answer. While a service starts it is asked often, so that what waits for it
 * starts soon; that it does not answer yet is no news before the initial delay is over.
 */
export async function runHealthCheck(
  health: HealthCheck,
  report: (healthy: boolean, message: string) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const settings = { ...defaultHealthSettings, ...health.settings };
  const startedMs = clock.monotonic();
  let delay = Math.min(startPeriodMs.least, settings.initialDelayMs);
  let everHealthy = false;
  for (;;) {
    try {
      await clock.sleep(delay, signal);
    } catch {
      return;
    }
    const runningMs = clock.monotonic() - startedMs;
    try {
      await checkWithin(health, settings.timeoutMs, clock, signal);
      everHealthy = true;
      delay = settings.periodMs;
      report(true, "");
    } catch (err) {
      if (signal.aborted) return;
      delay = everHealthy ? settings.periodMs : Math.min(settings.periodMs, startPeriod(runningMs));
      if (runningMs >= settings.initialDelayMs) report(false, describeError(err));
    }
  }
}

/** Grows with the time that a service takes to start, so that what waits for it waits little longer, on slow machines too. */
function startPeriod(runningMs: number): number {
  return Math.min(startPeriodMs.most, Math.max(startPeriodMs.least, runningMs * startPart));
}

/** Runs one check; one that ignores its signal still fails once its time is over. */
async function checkWithin(health: HealthCheck, timeoutMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  using limit = timeLimit(timeoutMs, { clock, signal, reason: () => noAnswer(timeoutMs) });
  await limit.race(health.check(limit.signal));
}

function noAnswer(timeoutMs: number): OsError {
  return new OsError({
    kind: "deadline-exceeded",
    code: "service/no-answer",
    message: `no answer within ${String(timeoutMs)} ms`,
  });
}
