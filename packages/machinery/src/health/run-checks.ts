import { describeError, OsError, systemClock, type Clock } from "@talos-ts/base";
import type { HealthCheck, HealthSubject } from "./check.ts";

/** Settings of running the checks. */
export interface RunChecksOptions {
  /** Ends the wait, for instance after a timeout. */
  readonly signal: AbortSignal;
  /** A line whenever the state of a check changes: `waiting for <name>: ...`, then `: OK`, `: SKIP` or `: <reason>`. */
  readonly report: (line: string) => void;
  readonly clock?: Clock;
  /** Longest wait for one check, in ms. Default 5 min. */
  readonly checkTimeoutMs?: number;
}

const pauseMs = 1000;
/** Longest time of one attempt, in ms: a node that is down must not hide behind a slow timeout. */
const attemptMs = 15_000;

/**
 * Runs checks in order, each until it passes.
 *
 * @throws OsError `health/not-healthy` with the check that did not pass in time, why, and what to run next
 */
export async function runChecks(
  checks: readonly HealthCheck[],
  subject: HealthSubject,
  options: RunChecksOptions,
): Promise<void> {
  const { signal, clock = systemClock, checkTimeoutMs = 5 * 60_000 } = options;
  for (const one of checks) {
    let said = "";
    const say = (state: string): void => {
      const line = `waiting for ${one.name}: ${state}`;
      if (line !== said) options.report(line);
      said = line;
    };
    say("...");
    const end = clock.monotonic() + checkTimeoutMs;
    for (;;) {
      try {
        say((await attempt(one, subject, signal, clock)) === "skipped" ? "SKIP" : "OK");
        break;
      } catch (err) {
        if (signal.aborted || clock.monotonic() >= end) throw unhealthy(one, err);
        say(describeError(err));
        await clock.sleep(pauseMs, signal).catch(() => {
          throw unhealthy(one, err);
        });
      }
    }
  }
}

async function attempt(
  one: HealthCheck,
  subject: HealthSubject,
  signal: AbortSignal,
  clock: Clock,
): Promise<void | "skipped"> {
  const limit = new AbortController();
  const done = new AbortController();
  void clock.sleep(attemptMs, done.signal).then(
    () => limit.abort(new OsError({ kind: "deadline-exceeded", message: `no answer within ${String(attemptMs)} ms` })),
    () => undefined,
  );
  try {
    return await one.check(subject, AbortSignal.any([signal, limit.signal]));
  } finally {
    done.abort();
  }
}

function unhealthy({ name }: HealthCheck, err: unknown): OsError {
  const cause = OsError.from(err);
  return new OsError({
    kind: "deadline-exceeded",
    code: "health/not-healthy",
    message: `healthcheck error: timed out waiting for ${name}: ${describeError(cause)}`,
    next: cause.next ?? "talosctl service",
    details: { check: name },
    cause,
  });
}
