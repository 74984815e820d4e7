import { OsError } from "@talos-ts/base";
import type { ServiceManager } from "../services/service-manager.ts";
import type { EtcdRetryAccess } from "./dependencies.ts";
import { clearDataDirectory } from "./data-directory.ts";
import { requireLeader } from "./etcd-client.ts";
import { localMemberId } from "./local-member-id.ts";
import { openClusterEtcdClient } from "./open-client.ts";
import { requireOtherMembers } from "./require-other-members.ts";
import { retryUntilDone } from "./retry.ts";

const leaveTimeoutMs = 5 * 60_000;
const intervalMs = 10_000;

/** Failures that pass: members that have not found each other yet, or one that is just stopping. */
const passing: ReadonlySet<string> = new Set(["etcdserver: unhealthy cluster", "etcdserver: server stopped"]);
const gone = "etcdserver: member not found";

/** Removes the local member from its cluster, stops etcd and deletes its data, which is of no use any more. */
export async function leaveCluster(
  machine: EtcdRetryAccess & { readonly services: ServiceManager },
  signal: AbortSignal,
): Promise<void> {
  const { clock, logger, services } = machine;
  await requireOtherMembers(machine, signal);
  const id = await localMemberId(machine, signal);
  const log = (message: string): void => logger.info(message);
  const failure = await retryUntilDone(
    { clock, signal, timeoutMs: leaveTimeoutMs, intervalMs, log },
    async (attempt) => {
      try {
        await using client = await openClusterEtcdClient(machine);
        await client.cluster.memberRemove({ ID: id }, { ...requireLeader, signal: attempt });
        return undefined;
      } catch (err) {
        const error = OsError.from(err);
        if (error.message === gone) return undefined;
        if (passing.has(error.message)) throw err;
        return error;
      }
    },
  );
  if (failure !== undefined) throw failure;
  await services.stop("etcd");
  await clearDataDirectory(machine);
}
