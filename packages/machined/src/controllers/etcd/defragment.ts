import { describeError, type Clock } from "@talos-ts/base";
import { reconcileController, weak, type Controller, type Logger } from "@talos-ts/cosi";
import { documentOf, etcdDefragmentationConfig } from "@talos-ts/machinery/config";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { databaseSize, defragmentLocal, type DatabaseSize } from "../../etcd/defragment-local.ts";
import { createEtcdMutex, mutexNames, type WithMutex } from "../../etcd/mutex.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Time between looks at the database, in ms. */
const intervalMs = 10 * 60_000;
/** A smaller database is not worth a pause of its member, in bytes. */
const leastBytes = 64 * 1024 ** 2;
/** Near the quota less unused space is enough: after it, etcd accepts no writes. */
const nearQuota = { ofQuota: 0.8, unused: 0.1 } as const;

/** A reconcile may wait for the turns of other members, in ms. */
const reconcileDeadlineMs = 30 * 60_000;

/** Collaborators, for tests. */
export interface EtcdDefragmentOptions {
  readonly size?: (signal: AbortSignal) => Promise<DatabaseSize>;
  readonly defragment?: (logger: Logger, signal: AbortSignal) => Promise<void>;
  readonly withMutex?: WithMutex;
}

/** Reports whether a database has enough unused space to be worth a pause of its member. */
export function needsDefragmentation({ total, inUse, quota }: DatabaseSize, threshold: number): boolean {
  const unused = total === 0 ? 0 : (total - inUse) / total;
  if (total >= quota * nearQuota.ofQuota) return unused >= Math.min(threshold, nearQuota.unused);
  return total >= leastBytes && unused >= threshold;
}

/**
 * Defragments the local etcd when much of its file is unused, one member of the cluster at a time and only while all answer.
 * `EtcdDefragmentationConfig` turns it off.
 */
export function etcdDefragmentController(
  machine: { readonly root: string; readonly clock: Clock },
  {
    size = (signal) => databaseSize(machine, signal),
    defragment = (logger, signal) => defragmentLocal(machine, logger, signal),
    withMutex = createEtcdMutex(machine),
  }: EtcdDefragmentOptions = {},
): Controller {
  const controller = reconcileController({
    name: "etcd.DefragmentController",
    inputs: [activeConfigInput, weak(Service, { id: "etcd" })],
    outputs: [],
    async reconcile(context) {
      const { logger, signal } = context;
      const config = await activeConfig(context);
      const settings = config === undefined ? undefined : documentOf(config, etcdDefragmentationConfig);
      const { enabled = true, thresholdPercent = 50 } = settings ?? {};
      if (config === undefined || !enabled) return;
      if ((await context.find(Service, "etcd"))?.spec.healthy !== true) return;
      context.queueReconcile(intervalMs);
      const threshold = thresholdPercent / 100;
      if (!needsDefragmentation(await size(signal), threshold)) return;
      try {
        await withMutex(mutexNames.etcdDefragment, signal, async () => {
          const before = await size(signal);
          if (!needsDefragmentation(before, threshold)) return;
          await defragment(logger, signal);
          const after = await size(signal);
          logger.info("defragmented etcd", { before_bytes: before.total, after_bytes: after.total });
        });
      } catch (err) {
        if (signal.aborted) throw err;
        logger.warn("cannot defragment etcd", { error: describeError(err) });
      }
    },
  });
  return { ...controller, reconcileDeadlineMs };
}
