import type { EtcdClusterAccess } from "./dependencies.ts";
import { clearDataDirectory } from "./data-directory.ts";
import { requireLeader, type EtcdClient } from "./etcd-client.ts";
import { forgetLearner, rememberedLearner } from "./learner-file.ts";
import { openClusterEtcdClient } from "./open-client.ts";

const timeoutMs = 10_000;

/**
 * Clears the data of a learner that the cluster has dropped, so that this machine can join anew. Data of a member that votes, or
 * did, is never touched.
 *
 * @param open Opens a client of the other members. @default over their API
 * @returns whether the data directory was cleared
 */
export async function clearRemovedLearner(
  machine: EtcdClusterAccess,
  signal: AbortSignal,
  open: () => Promise<Pick<EtcdClient, "cluster"> & AsyncDisposable> = () => openClusterEtcdClient(machine),
): Promise<boolean> {
  const id = await rememberedLearner(machine);
  if (id === undefined) return false;
  const member = await findMember(open, id, signal);
  if (member === "unknown") return false;
  if (member === "voter") await forgetLearner(machine);
  if (member !== "absent") return false;
  await clearDataDirectory(machine);
  await forgetLearner(machine);
  return true;
}

async function findMember(
  open: () => Promise<Pick<EtcdClient, "cluster"> & AsyncDisposable>,
  id: bigint,
  signal: AbortSignal,
): Promise<"unknown" | "absent" | "learner" | "voter"> {
  try {
    await using client = await open();
    const call = { ...requireLeader, signal, timeoutMs };
    const { members } = await client.cluster.memberList({ linearizable: true }, call);
    const found = members.find(({ ID }) => ID === id);
    if (found === undefined) return "absent";
    return found.isLearner ? "learner" : "voter";
  } catch {
    // Only an answer of the quorum counts.
    return "unknown";
  }
}
