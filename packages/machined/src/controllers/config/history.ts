import { createHash } from "node:crypto";
import { describeError, type Clock } from "@talos-ts/base";
import { exclusive, kindOf, reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { systemVolumes } from "@talos-ts/machinery/constants";
import { MachineConfig, MachineConfigHistory } from "@talos-ts/machinery/resources/config";
import { MachineStatus } from "@talos-ts/machinery/resources/runtime";
import { mountedVolumeInputs, mountedVolumeOutputs, withMountedVolume } from "../internal/with-mounted-volume.ts";
import { loadHistory, storeHistory, type HistoryEntry } from "./internal/history-file.ts";

const name = "config.HistoryController";
const kept = 5;

/**
 * Keeps the last five configurations with which the machine was ready, on the STATE volume. One on trial does not count: only
 * what is also kept for the next boot does. A configuration that comes back moves to the end.
 */
export function configHistoryController({ root, clock }: { readonly root: string; readonly clock: Clock }): Controller {
  let entries: readonly HistoryEntry[] | undefined;
  let stored = true;

  const loading = withMountedVolume({
    controller: name,
    volume: systemVolumes.state,
    root,
    work: async (path, { logger }) =>
      loadHistory(path).catch((err: unknown): readonly HistoryEntry[] => {
        logger.warn("configuration history is lost", { error: describeError(err) });
        return [];
      }),
  });
  const storing = withMountedVolume({
    controller: name,
    volume: systemVolumes.state,
    root,
    work: (path) => storeHistory(path, entries ?? []),
  });

  return reconcileController({
    name,
    inputs: [weak(MachineConfig), weak(MachineStatus), ...mountedVolumeInputs(name, systemVolumes.state)],
    outputs: [exclusive(MachineConfigHistory), ...mountedVolumeOutputs],
    async reconcile(context) {
      if (entries === undefined) {
        const loaded = await loading.step(context);
        if (loaded === undefined) return;
        entries = loaded.value;
      }
      const status = await context.find(MachineStatus, MachineStatus.id);
      const active = await context.find(MachineConfig, MachineConfig.ids.active);
      const persistent = await context.find(MachineConfig, MachineConfig.ids.persistent);
      const ready = status?.spec.stage === "running" && status.spec.status.ready;
      const config = active?.spec;
      // While nothing was changed since the boot there is only the active one.
      const isKept = persistent === undefined || persistent.spec === config;
      if (ready && config !== undefined && isKept && entries.at(-1)?.config !== config) {
        entries = appended(entries, config, new Date(clock.now()));
        stored = false;
        context.logger.info("machine is ready with a new configuration", { number: entries.at(-1)?.number ?? 0 });
      }
      context.startTrackingOutputs();
      for (const { number, ...spec } of entries) await context.modify(MachineConfigHistory, String(number), () => spec);
      await context.cleanupOutputs(kindOf(MachineConfigHistory));
      if (stored && !storing.busy) return;
      const before = entries;
      if ((await storing.step(context)) === undefined) return;
      stored = before === entries;
      if (!stored) context.queueReconcile();
    },
  });
}

function appended(entries: readonly HistoryEntry[], config: string, now: Date): readonly HistoryEntry[] {
  const number = (entries.at(-1)?.number ?? 0) + 1;
  const digest = createHash("sha256").update(config).digest("hex").slice(0, 12);
  const entry = { number, readySince: now.toISOString(), digest, config };
  return [...entries.filter((other) => other.config !== config), entry].slice(-kept);
}
