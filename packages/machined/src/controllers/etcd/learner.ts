import { describeError, type Clock } from "@talos-ts/base";
import { exclusive, kindOf, weak, type Controller, type ControllerContext, type State } from "@talos-ts/cosi";
import { EtcdLearner, PKIStatus } from "@talos-ts/machinery/resources/etcd";
import { followLearners } from "../../etcd/follow-learners.ts";
import type { QueuedLearner } from "../../etcd/learner-queue.ts";

/** Time between attempts to reach etcd, in ms: a cluster that is not there yet is no fault. */
const retryMs = 10_000;

export interface EtcdLearnerOptions {
  /** Gives the queue after each change. @default from etcd */
  readonly follow?: (signal: AbortSignal) => AsyncIterable<readonly QueuedLearner[]>;
}

/** Shows the machines that join etcd, with their places in the queue, on every control plane machine. */
export function etcdLearnerController(
  machine: { readonly root: string; readonly state: State; readonly clock: Clock },
  { follow = (signal) => followLearners(machine, signal) }: EtcdLearnerOptions = {},
): Controller {
  return {
    name: "etcd.LearnerController",
    inputs: [weak(PKIStatus, { id: PKIStatus.id })],
    outputs: [exclusive(EtcdLearner)],
    async run(context) {
      let queue: readonly QueuedLearner[] = [];
      let following: AbortController | undefined;
      using _end = { [Symbol.dispose]: () => following?.abort() };

      async function followForever(signal: AbortSignal): Promise<void> {
        while (!signal.aborted) {
          try {
            for await (const present of follow(signal)) {
              queue = present;
              context.queueReconcile();
            }
          } catch (err) {
            if (!signal.aborted)
              context.logger.debug("cannot read the queue of etcd learners", { error: describeError(err) });
          }
          await machine.clock.sleep(retryMs, signal).catch(() => undefined);
        }
      }

      for await (const _event of context.events) {
        const ready = (await context.find(PKIStatus, PKIStatus.id)) !== undefined;
        if (ready && following === undefined) {
          following = new AbortController();
          void followForever(AbortSignal.any([following.signal, context.signal]));
        }
        if (!ready) {
          following?.abort();
          following = undefined;
          queue = [];
        }
        await publish(context, queue);
        context.resetRestartBackoff();
      }
    },
  };
}

async function publish(context: ControllerContext, queue: readonly QueuedLearner[]): Promise<void> {
  context.startTrackingOutputs();
  for (const [index, { name, state, since }] of queue.entries()) {
    await context.put(EtcdLearner, name, () => EtcdLearner.spec({ position: index + 1, state, since }));
  }
  await context.cleanupOutputs(kindOf(EtcdLearner));
}
