import { OsError } from "@talos-ts/base";
import { addressOf } from "@talos-ts/base/net";
import { findTyped } from "@talos-ts/cosi";
import { etcdPeerPort } from "@talos-ts/machinery/constants";
import type { EtcdSpecSpec } from "@talos-ts/machinery/resources/etcd";
import { NodeAddress } from "@talos-ts/machinery/resources/network";
import type { Member } from "@talos-ts/proto/etcd/rpc";
import type { EtcdRetryAccess } from "./dependencies.ts";
import type { InitialCluster } from "./etcd-arguments.ts";
import { requireLeader, type EtcdClient } from "./etcd-client.ts";
import { takeLearnerTurn } from "./learner-queue.ts";
import { memberUrls } from "./member-urls.ts";
import type { Learner } from "./promote-learner.ts";
import { retryUntilDone } from "./retry.ts";

/** The place that an existing cluster made for this machine. */
export interface AddedLearner {
  readonly initial: InitialCluster;
  readonly learner: Learner;
}

/** A machine that may start as a learner. It holds its turn until the turn is disposed, which is due once it votes. */
export interface JoinedCluster extends AddedLearner {
  readonly turn: AsyncDisposable;
}

const joinTimeoutMs = 30 * 60_000;
const intervalMs = 3000;
/** Longest time that the first in the queue tries to be added before it goes to the end: another's dead learner may be in the way. */
const addTimeoutMs = 20 * 60_000;
/** Of one call to etcd. */
const callTimeoutMs = 10_000;
/** Between two reminders that the first machine of a cluster must be bootstrapped. */
const reminderMs = 30_000;

const reminder =
  "etcd is waiting to join the cluster, if this node is the first node in the cluster, please run `talosctl bootstrap` against one of the following IPs:";

/**
 * Waits for a cluster and joins it as a learner when it is this machine's turn. Reminds people every 30 s that the first machine needs
 * `talosctl bootstrap`.
 *
 * @param report Tells people how many machines join before this one.
 * @throws the reason of the signal, or a failure after 30 minutes
 */
export async function joinCluster(
  machine: EtcdRetryAccess,
  spec: EtcdSpecSpec,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<JoinedCluster> {
  const { clock, logger } = machine;
  const log = (message: string): void => logger.info(message);
  let remindedAt = Number.NEGATIVE_INFINITY;
  try {
    return await retryUntilDone(
      // Waiting in the queue is no failure, so that one attempt may take all the time.
      { clock, signal, timeoutMs: joinTimeoutMs, attemptTimeoutMs: joinTimeoutMs, intervalMs, jitterMs: 1000, log },
      async (attempt) => {
        if (clock.monotonic() - remindedAt > reminderMs) {
          remindedAt = clock.monotonic();
          log(reminder);
          log(`[${(await ownAddresses(machine)).join(" ")}]`);
        }
        await using stack = new AsyncDisposableStack();
        const onWait = (before: number): void => report(waitingFor(before));
        const turn = stack.use(await takeLearnerTurn(machine, spec, attempt, onWait));
        const added = await retryUntilDone(
          { clock, signal: turn.ended, timeoutMs: addTimeoutMs, intervalMs, jitterMs: 1000, log },
          (call) => addLearner(turn.client, spec, call),
        );
        const owned = stack.move();
        return { ...added, turn: owned };
      },
    );
  } catch (err) {
    if (signal.aborted) throw err;
    throw new OsError({
      kind: "unavailable",
      code: "etcd/not-joined",
      message: "failed to build initial etcd cluster: failed to build cluster arguments",
      next: "talosctl etcd members",
      cause: err,
    });
  }
}

function waitingFor(before: number): string {
  return `Waiting to join the etcd cluster: ${String(before)} other ${before === 1 ? "machine joins" : "machines join"} first`;
}

async function ownAddresses({ state }: EtcdRetryAccess): Promise<readonly string[]> {
  const addresses = await findTyped(state, NodeAddress, "current-no-k8s");
  return (addresses?.spec.addresses ?? []).map(addressOf);
}

/**
 * Adds this machine to the cluster as a learner. Bears repetition: a place that an interrupted attempt was given is used, and a
 * member that this machine was before it lost its data is removed.
 */
async function addLearner(
  client: Pick<EtcdClient, "cluster">,
  spec: EtcdSpecSpec,
  signal: AbortSignal,
): Promise<AddedLearner> {
  const call = { ...requireLeader, signal, timeoutMs: callTimeoutMs };
  const peerURLs = [...memberUrls(spec.advertisedAddresses, etcdPeerPort)];
  const { members } = await client.cluster.memberList({ linearizable: true }, call);
  const reserved = members.find(
    (member) => member.isLearner && member.name === "" && member.peerURLs.join() === peerURLs.join(),
  );
  if (reserved !== undefined) return joined(spec, reserved.ID, members);
  for (const stale of members.filter(({ name }) => name === spec.name)) {
    await client.cluster.memberRemove({ ID: stale.ID }, call);
  }
  const added = await client.cluster.memberAdd({ peerURLs, isLearner: true }, call);
  if (added.member === undefined) {
    throw new OsError({
      kind: "internal",
      code: "etcd/no-member",
      message: "error adding member: etcd named no member",
    });
  }
  return joined(spec, added.member.ID, added.members);
}

function joined(spec: EtcdSpecSpec, id: bigint, members: readonly Member[]): AddedLearner {
  const voters = members.filter((member) => member.ID !== id && !member.isLearner);
  return {
    initial: {
      state: "existing",
      members: members.flatMap(({ ID, name, peerURLs }) =>
        peerURLs.map((url) => `${ID === id ? spec.name : name}=${url}`),
      ),
    },
    learner: { id, voterUrls: voters.flatMap(({ clientURLs }) => clientURLs) },
  };
}
