import { isCode } from "@talos-ts/base";
import type { EtcdClusterAccess } from "./dependencies.ts";
import { requireLeader } from "./etcd-client.ts";
import { etcdEndpoints, openEtcdClient } from "./open-client.ts";

/** Machines that are there answer within this time, milliseconds. */
const timeoutMs = 2000;

/**
 * The `host:port` of a member of a cluster that has a leader, if one answers: a second bootstrap would make a second cluster.
 *
 * @param wanted Id of the cluster. @default any
 */
export async function findCluster(machine: EtcdClusterAccess, wanted?: bigint): Promise<string | undefined> {
  const endpoints = await etcdEndpoints(machine).catch((err: unknown) => {
    if (isCode(err, "etcd/no-endpoints")) return [];
    throw err;
  });
  const answers = endpoints.map(async (endpoint) => {
    await using client = await openEtcdClient(machine, [endpoint]);
    const { header } = await client.cluster.memberList({ linearizable: true }, { ...requireLeader, timeoutMs });
    if (wanted !== undefined && header?.clusterId !== wanted) throw new RangeError(`${endpoint} is of another cluster`);
    return endpoint;
  });
  return Promise.any(answers).catch(() => undefined);
}
