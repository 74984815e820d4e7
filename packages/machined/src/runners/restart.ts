import { describeError, OsError, systemClock, type Clock } from "@talos-ts/base";
import type { Runner } from "../runner.ts";

/** Restart policy of a service. */
export type RestartPolicy = "forever" | "until-success" | "once";

const policyTexts: Record<RestartPolicy, string> = {
  forever: "forever",
  "until-success": "until it succeeds",
  once: "once",
};

export interface RestartOptions {
  readonly policy: RestartPolicy;
  /** @default {5000} */
  readonly intervalMs?: number;
  readonly clock?: Clock;
}

/** Runs what `create` makes again and again, as the policy says, with a pause in between. */
export function restartRunner(create: () => Runner, options: RestartOptions): Runner {
  const { policy, intervalMs = 5000, clock = systemClock } = options;
  let current = create();
  return {
    describe: () => `Restart(${policy}, ${current.describe()})`,
    interrupt: () => current.interrupt?.(),
    async run(report, signal) {
      for (let first = true; ; first = false) {
        if (!first) current = create();
        let failure: unknown;
        try {
          await current.run(report, signal);
        } catch (err) {
          failure = err;
        }
        if (signal.aborted) return;
        if (policy === "once" || (policy === "until-success" && failure === undefined)) {
          if (failure !== undefined) throw failure;
          return;
        }
        report(
          "waiting",
          failure === undefined
            ? `Runner ${current.describe()} exited without error, going to restart it`
            : `Error running ${current.describe()}, going to restart ${policyTexts[policy]}: ${reasonOf(failure)}`,
        );
        try {
          await clock.sleep(intervalMs, signal);
        } catch {
          report("stopping", "Aborting restart sequence");
          return;
        }
      }
    },
  };
}

function reasonOf(failure: unknown): string {
  const { next } = OsError.from(failure);
  return `${describeError(failure)}${next === undefined ? "" : `, next: ${next}`}`;
}
