import { describeError, OsError, runForever, type Clock } from "@talos-ts/base";
import { exclusive, kindOf, reconcileController, shared, weak, type Controller, type Logger } from "@talos-ts/cosi";
import type { Watchdog, Watchdogs } from "@talos-ts/linux";
import {
  SettingProblem,
  WatchdogTimerConfig,
  WatchdogTimerStatus,
  type WatchdogTimerConfigSpec,
  type WatchdogTimerStatusSpec,
} from "@talos-ts/machinery/resources/runtime";
import type { Platform } from "../../platform.ts";

/** Time until another attempt to arm the watchdog, in ms: its module may be loaded later. */
const retryMs = 60_000;
/** Number of times that it is fed within its timeout. */
const feedsPerTimeout = 3;

/**
 * Arms a hardware watchdog and feeds it. A machine whose `machined` hangs for longer than the timeout is reset. The watchdogs of the
 * host are nothing of a container.
 */
export function watchdogTimerController(machine: {
  readonly platform: Pick<Platform, "mode">;
  readonly linux: { readonly watchdogs: Watchdogs };
  readonly clock: Clock;
}): Controller {
  let armed: { readonly watchdog: Watchdog; readonly feeding: AbortController } | undefined;

  function disarm(logger: Logger): void {
    if (armed === undefined) return;
    const { watchdog, feeding } = armed;
    armed = undefined;
    feeding.abort();
    logger.info("closing hardware watchdog", { path: watchdog.path });
    watchdog[Symbol.dispose]();
  }

  function arm({ device, timeoutMs }: WatchdogTimerConfigSpec, logger: Logger): WatchdogTimerStatusSpec {
    if (machine.platform.mode === "container") {
      const message = "watchdogs belong to the host of a container";
      throw new OsError({ kind: "failed-precondition", code: "watchdog/container", message });
    }
    if (armed?.watchdog.path !== device) disarm(logger);
    armed?.feeding.abort();
    const watchdog = armed?.watchdog ?? machine.linux.watchdogs.open(device);
    const feeding = new AbortController();
    armed = { watchdog, feeding };
    const takenMs = watchdog.setTimeout(Math.floor(timeoutMs / 1000)) * 1000;
    const feedIntervalMs = Math.floor(takenMs / feedsPerTimeout);
    watchdog.feed();
    void feed(watchdog, feedIntervalMs, feeding.signal, logger);
    logger.info("set hardware watchdog timeout", { timeout_ms: takenMs, feed_interval_ms: feedIntervalMs });
    return { device, timeoutMs: takenMs, feedIntervalMs };
  }

  /** Apart from the controller's own loop, so that no reconcile delays it. */
  async function feed(watchdog: Watchdog, everyMs: number, signal: AbortSignal, logger: Logger): Promise<void> {
    await runForever(
      async () => {
        for (;;) {
          await machine.clock.sleep(everyMs, signal);
          watchdog.feed();
        }
      },
      {
        signal,
        clock: machine.clock,
        backoff: { initialMs: 1000, maxMs: 1000 },
        onEnd: (error) => logger.error("failed to feed watchdog", { error: describeError(error) }),
      },
    );
  }

  return reconcileController({
    name: "runtime.WatchdogTimerController",
    inputs: [weak(WatchdogTimerConfig, { id: WatchdogTimerConfig.id })],
    outputs: [exclusive(WatchdogTimerStatus), shared(SettingProblem)],
    cleanup: [kindOf(WatchdogTimerStatus), kindOf(SettingProblem)],
    async reconcile(context) {
      const config = await context.find(WatchdogTimerConfig, WatchdogTimerConfig.id);
      if (config?.metadata.phase !== "running") return disarm(context.logger);
      try {
        const status = arm(config.spec, context.logger);
        await context.put(WatchdogTimerStatus, WatchdogTimerStatus.id, () => status);
      } catch (err) {
        disarm(context.logger);
        const problem = { setting: `watchdog ${config.spec.device}`, reason: describeError(err) };
        await context.put(SettingProblem, "watchdog", () => SettingProblem.spec(problem));
        context.queueReconcile(retryMs);
      }
    },
  });
}
