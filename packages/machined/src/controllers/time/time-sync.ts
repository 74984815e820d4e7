import type { Clock } from "@talos-ts/base";
import { equalSpecs, exclusive, weak, type Controller } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import { timeSyncOf } from "@talos-ts/machinery/config";
import { TimeServerStatus } from "@talos-ts/machinery/resources/network";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { syncTime } from "../../ntp/sync-time.ts";
import type { Platform } from "../../platform.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

export interface TimeSyncMachine {
  readonly platform: Platform;
  readonly clock: Clock;
  readonly linux: Pick<Linux, "clock">;
}

/**
 * Keeps the clock right and reports whether it can be relied on.
 *
 * The clock of a container is that of its host, and synchronization can be disabled: the status then says "synced" and "disabled".
 * When no server answers before the boot timeout of the configuration, boot goes on with the time there is.
 */
export function timeSyncController({ platform, clock, linux }: TimeSyncMachine): Controller {
  const startedMs = clock.monotonic();
  return {
    name: "time.SyncController",
    inputs: [weak(TimeServerStatus, { id: TimeServerStatus.id }), activeConfigInput],
    outputs: [exclusive(TimeStatus)],
    async run(context) {
      let synced = false;
      let epoch = 0;
      let running: { readonly servers: readonly string[]; readonly abort: AbortController } | undefined;
      const stop = (): void => {
        running?.abort.abort();
        running = undefined;
      };
      const start = (servers: readonly string[]): void => {
        const abort = new AbortController();
        running = { servers, abort };
        const onAdjusted = (newEpoch: boolean): void => {
          if (synced && !newEpoch) return;
          synced = true;
          epoch += newEpoch ? 1 : 0;
          context.queueReconcile();
        };
        void syncTime({
          servers,
          clock,
          kernelClock: linux.clock,
          logger: context.logger,
          signal: abort.signal,
          onAdjusted,
        });
      };
      using _stop = { [Symbol.dispose]: stop };

      for await (const _event of context.events) {
        const status = await context.find(TimeServerStatus, TimeServerStatus.id);
        if (status === undefined) continue;
        const config = await activeConfig(context);
        const settings = config === undefined ? undefined : timeSyncOf(config);
        const syncDisabled = platform.mode === "container" || settings?.enabled === false;
        const { timeServers } = status.spec;
        if (running !== undefined && (syncDisabled || !equalSpecs(running.servers, timeServers))) stop();
        if (!syncDisabled && running === undefined) start(timeServers);
        const leftMs = (settings?.bootTimeoutMs ?? 0) - (clock.monotonic() - startedMs);
        if (syncDisabled || (leftMs <= 0 && (settings?.bootTimeoutMs ?? 0) > 0)) synced = true;
        else if (!synced && leftMs > 0) context.queueReconcile(leftMs);
        const reported = { synced, epoch, syncDisabled };
        await context.modify(TimeStatus, TimeStatus.id, () => reported);
        context.resetRestartBackoff();
      }
    },
  };
}
