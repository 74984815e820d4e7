import { describeError, goDurationMs, type Clock } from "@talos-ts/base";
import {
  exclusive,
  kindOf,
  reconcileController,
  shared,
  type Controller,
  type ControllerContext,
} from "@talos-ts/cosi";
import type { TextFiles } from "@talos-ts/linux";
import { documentOf, oomConfig, type Config } from "@talos-ts/machinery/config";
import { oomRanking, oomTrigger } from "@talos-ts/machinery/resources/cel";
import { OOMAction, SettingProblem, type OOMActionSpec } from "@talos-ts/machinery/resources/runtime";
import type { Platform } from "../../platform.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { chooseCgroup, listCgroups } from "./internal/oom/choose-cgroup.ts";
import { endCgroup } from "./internal/oom/end-cgroup.ts";
import { createPressureSampler } from "./internal/oom/memory-pressure.ts";

/** Settings of a machine without `OOMConfig`: those of Talos. */
const defaults = {
  trigger: `(multiply_qos_vectors(d_qos_memory_full_total, {System: 8.0, Podruntime: 4.0}) > 3000.0 &&
    multiply_qos_vectors(qos_memory_full_avg10, {System: 1.0, Podruntime: 1.0}) > 5.0 && time_since_trigger > duration("5s")) ||
    (memory_full_avg10 > 75.0 && time_since_trigger > duration("10s"))`,
  ranking: `memory_max.hasValue() ? 0.0 :
    {Besteffort: 1.0, Burstable: 0.5, Guaranteed: 0.0, Podruntime: 0.0, System: 0.0}[class] *
      double(memory_current.orValue(0u))`,
  strict: true,
  intervalMs: 500,
} as const;

/** Number of actions that are kept. */
const kept = 50;
/** Time until another look after one that failed, in ms. */
const retryMs = 60_000;
/** Time since a trigger that never was, in ms: a hundred years, which CEL can express. */
const longestMs = 100 * 365 * 86_400_000;

export interface OOMOptions {
  readonly platform: Pick<Platform, "mode">;
  readonly linux: { readonly textFiles: TextFiles };
  readonly clock: Clock;
  /** @default {"/sys/fs/cgroup"} */
  readonly cgroupRoot?: string;
}

/**
 * Ends a control group before the kernel runs out of memory: when the trigger of `OOMConfig` is true, the one that its ranking puts first.
 * A container has no say over the memory of its host.
 */
export function oomController({ platform, linux, clock, cgroupRoot = "/sys/fs/cgroup" }: OOMOptions): Controller {
  const { textFiles } = linux;
  let intervalMs: number = defaults.intervalMs;
  const sampler = createPressureSampler(textFiles, cgroupRoot, () => intervalMs);
  const actions = new Map<string, OOMActionSpec>();
  let number = 0;
  const trigger = lastOf(oomTrigger);
  const ranking = lastOf(oomRanking);
  let triggered = -Infinity;

  async function look(context: ControllerContext, config: Config | undefined): Promise<void> {
    const settings = settingsOf(config);
    intervalMs = settings.intervalMs;
    const sinceTriggerMs = Math.min(clock.monotonic() - triggered, longestMs);
    const values = { ...(await sampler.sample()), sinceTriggerMs };
    if (!trigger(settings.trigger)(values)) return;
    context.logger.info("OOM controller triggered");
    triggered = clock.monotonic();
    const choice = chooseCgroup(await listCgroups(textFiles, cgroupRoot), ranking(settings.ranking), settings.strict);
    if (choice === undefined) {
      context.logger.warn("no eligible cgroup to kill");
      return;
    }
    context.logger.warn("Sending SIGKILL to cgroup", { cgroup: choice.cgroup.path });
    const processes = await endCgroup(textFiles, choice.cgroup.path);
    const since = { time_since_trigger: Math.round(sinceTriggerMs * 1e6) };
    const triggerContext = JSON.stringify({ ...values.root, ...values.perClass, ...since });
    actions.set(String(number++), OOMAction.spec({ triggerContext, score: choice.score, processes }));
    for (const id of [...actions.keys()].slice(0, -kept)) actions.delete(id);
  }

  return reconcileController({
    name: "runtime.OOMController",
    inputs: [activeConfigInput],
    outputs: [exclusive(OOMAction), shared(SettingProblem)],
    cleanup: [kindOf(OOMAction), kindOf(SettingProblem)],
    async reconcile(context) {
      const config = await activeConfig(context);
      const asked = config !== undefined && documentOf(config, oomConfig) !== undefined;
      let reason = platform.mode === "container" ? "the memory of a container is that of its host" : undefined;
      if (reason === undefined) {
        context.queueReconcile(retryMs);
        try {
          await look(context, config);
          context.queueReconcile(intervalMs);
        } catch (err) {
          reason = describeError(err);
          context.logger.debug("memory pressure is not watched", { error: reason });
        }
      }
      for (const [id, action] of actions) await context.put(OOMAction, id, () => action);
      // A machine that nobody configured does without where the kernel has no pressure information.
      if (reason === undefined || !asked) return;
      const problem = SettingProblem.spec({ setting: "OOMConfig", reason });
      await context.put(SettingProblem, "oom", () => problem);
    },
  });
}

/** Keeps what was made of the last text: expressions are evaluated twice a second. */
function lastOf<T>(make: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly made: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, made: make(text) };
    return last.made;
  };
}

interface Settings {
  readonly trigger: string;
  readonly ranking: string;
  readonly strict: boolean;
  readonly intervalMs: number;
}

function settingsOf(config: Config | undefined): Settings {
  const document = (config === undefined ? undefined : documentOf(config, oomConfig)) ?? {};
  const { triggerExpression, cgroupRankingExpression, strictCgroupClassOrdering, sampleInterval } = document;
  return {
    trigger: triggerExpression ?? defaults.trigger,
    ranking: cgroupRankingExpression ?? defaults.ranking,
    strict: strictCgroupClassOrdering ?? defaults.strict,
    intervalMs: sampleInterval === undefined ? defaults.intervalMs : goDurationMs(sampleInterval),
  };
}
