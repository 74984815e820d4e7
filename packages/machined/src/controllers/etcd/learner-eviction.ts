import type { Clock } from "@talos-ts/base";
import { reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { formatMemberId } from "@talos-ts/machinery/etcd";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { listLearners, removeLearner, type ListedLearner } from "../../etcd/learners-of-leader.ts";

/** Time between looks, in ms. */
const intervalMs = 30_000;
/** Time from the first look that shows a learner until it is removed, in ms: longer than a learner tries to be promoted. */
const deadlineMs = 15 * 60_000;

export interface LearnerEvictionOptions {
  /** Learners, as the leader knows them; none on members that do not lead. @default over the API of etcd */
  readonly list?: (signal: AbortSignal) => Promise<readonly ListedLearner[]>;
  /** Removes a learner. @default over the API of etcd */
  readonly remove?: (id: bigint, signal: AbortSignal) => Promise<void>;
}

/**
 * Removes learners that are not promoted in time, on the machine whose etcd leads: a learner that never catches up keeps all other
 * machines from joining. Its machine, if it still runs, joins anew.
 */
export function etcdLearnerEvictionController(
  machine: { readonly root: string; readonly clock: Clock },
  {
    list = (signal) => listLearners(machine, signal),
    remove = (id, signal) => removeLearner(machine, id, signal),
  }: LearnerEvictionOptions = {},
): Controller {
  const { clock } = machine;
  const firstSeen = new Map<bigint, number>();
  return reconcileController({
    name: "etcd.LearnerEvictionController",
    inputs: [weak(Service, { id: "etcd" })],
    outputs: [],
    async reconcile(context) {
      const healthy = (await context.find(Service, "etcd"))?.spec.healthy === true;
      const learners = healthy ? await list(context.signal) : [];
      const known = new Set(learners.map(({ id }) => id));
      for (const id of firstSeen.keys()) if (!known.has(id)) firstSeen.delete(id);
      for (const { id, name } of learners) {
        const since = firstSeen.get(id) ?? clock.monotonic();
        firstSeen.set(id, since);
        if (clock.monotonic() - since < deadlineMs) continue;
        await remove(id, context.signal);
        firstSeen.delete(id);
        context.logger.warn("removed an etcd learner that was not promoted in time", {
          member_id: formatMemberId(id),
          name,
          minutes: deadlineMs / 60_000,
        });
      }
      if (healthy) context.queueReconcile(intervalMs);
    },
  });
}
