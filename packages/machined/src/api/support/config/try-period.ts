import { describeError } from "@talos-ts/base";
import type { Config } from "@talos-ts/machinery/config";
import type { Machine } from "../../../machine.ts";

/** A configuration on trial: what was there before comes back by itself. */
export interface TryPeriod {
  /** Remembers the active configuration and brings it back after a while; a trial during a trial goes back to the first. */
  begin(ms: number): void;
  /** What was applied stays. */
  end(): void;
}

export function createTryPeriod(machine: Pick<Machine, "clock" | "config" | "logger">): TryPeriod {
  let running: { readonly original: Config; readonly abort: AbortController } | undefined;

  async function revertLater(original: Config, ms: number, signal: AbortSignal): Promise<void> {
    try {
      await machine.clock.sleep(ms, signal);
    } catch {
      return;
    }
    running = undefined;
    machine.logger.info("reverting the configuration that was applied in 'try' mode");
    await machine.config.activate(original).catch((err: unknown) => {
      machine.logger.error("cannot revert the configuration", { error: describeError(err) });
    });
  }

  return {
    begin(ms) {
      const original = running?.original ?? machine.config.current();
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
