import { describeError, OsError } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { MachineService } from "@talos-ts/proto/machine/machine";

export interface QuorumQuestion {
  readonly connection: ApiConnection;
  /** All control planes, by address. */
  readonly controlPlanes: readonly string[];
  /** The one that is to go down. */
  readonly node: string;
  /** Action on it, as in `reboot`. */
  readonly doing: string;
  readonly signal: AbortSignal;
}

const answerMs = 10_000;

/**
 * Asks the members of etcd on all other control planes, each for its own state, right before one goes down.
 *
 * @throws {OsError} `rolling/quorum` when one of them does not answer, is a learner, reports an error, or follows another leader
 */
export async function checkQuorum({ connection, controlPlanes, node, doing, signal }: QuorumQuestion): Promise<void> {
  const others = controlPlanes.filter((each) => each !== node);
  const leaders = await Promise.all(
    others.map(async (other) => {
      const refuse = (why: string): OsError => refusal(doing, node, other, why);
      const { messages } = await connection
        .service(MachineService, { node: other })
        .etcdStatus({}, { signal, timeoutMs: answerMs })
        .catch((err: unknown) => {
          signal.throwIfAborted();
          throw refuse(`does not answer: ${describeError(err)}`);
        });
      const status = messages[0]?.memberStatus;
      if (status === undefined) throw refuse("does not say how it is");
      if (status.isLearner) throw refuse("is a learner, which has no vote yet");
      const [error] = status.errors;
      if (error !== undefined) throw refuse(`reports ${error}`);
      if (status.leader === 0n) throw refuse("has no leader");
      return { other, leader: status.leader };
    }),
  );
  const [first] = leaders;
  const odd = leaders.find(({ leader }) => leader !== first?.leader);
  if (odd !== undefined)
    throw refusal(doing, node, odd.other, `follows another leader than that of ${first?.other ?? ""}`);
}

function refusal(doing: string, node: string, other: string, why: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "rolling/quorum",
    message: `Cannot ${doing} ${node}: the etcd member of ${other} ${why}, and etcd needs it while ${node} is away`,
    next: `talosctl --nodes ${other} etcd status`,
  });
}
