import type { Logger } from "@talos-ts/cosi";
import { describeError, formatGoDuration, type Clock } from "@talos-ts/base";
import type { Config } from "@talos-ts/machinery/config";
import type { ConfigStore } from "../../../config-store.ts";

/** A configuration on trial: what was there before comes back by itself. */
export interface TryPeriod {
  /**
   * Starts a trial: the configuration that is active now comes back after `ms`. A trial during a trial goes back to the first.
   * @param active `undefined` when there is none to go back to
   */
  begin(active: Config | undefined, ms: number): void;
  /** Keeps the applied configuration. */
  end(): void;
  /** True while a configuration is on trial. */
  readonly running: boolean;
}

export function createTryPeriod(machine: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: ConfigStore;
}): TryPeriod {
  let running: { readonly original: Config; readonly abort: AbortController } | undefined;

  async function revertLater(original: Config, ms: number, signal: AbortSignal): Promise<void> {
    try {
      await machine.clock.sleep(ms, signal);
    } catch {
      return;
    }
    running = undefined;
    machine.logger.warn("reverting the configuration that was applied in 'try' mode", {
      reason: `nobody confirmed it by applying it for good within ${formatGoDuration(BigInt(ms) * 1_000_000n)}`,
    });
    await machine.config.activate(original).catch((err: unknown) => {
      machine.logger.error("cannot revert the configuration", { error: describeError(err) });
    });
  }

  return {
    get running() {
      return running !== undefined;
    },
    begin(active, ms) {
      const original = running?.original ?? active;
      running?.abort.abort();
      // Without an earlier configuration there is nothing to go back to.
      if (original === undefined) return;
      const abort = new AbortController();
      running = { original, abort };
      void revertLater(original, ms, abort.signal);
    },
    end() {
      running?.abort.abort();
      running = undefined;
    },
  };
}
