import type { Clock } from "@talos-ts/base";
import { requireLeader, type EtcdClient } from "./etcd-client.ts";
import { openLocalEtcdClient } from "./open-client.ts";

/** Names of the locks that machines of a cluster share. Those of Talos are the same, so that both kinds of machines may mix. */
export const mutexNames = {
  manifestApply: "talos:v1:manifestApplyMutex",
  serviceAccounts: "talos:v1:serviceAccountCRDController",
  etcdRestart: "talos-ts:v1:etcdRestartMutex",
  etcdDefragment: "talos-ts:v1:etcdDefragmentMutex",
} as const;

export type MutexName = (typeof mutexNames)[keyof typeof mutexNames];

/**
 * Does some work while no other machine of the cluster does work under the same name.
 *
 * A machine that dies while it holds the lock loses it once its lease is over, after a minute. Work that takes long ends when
 * `held` aborts: the lease could not be renewed, and another machine may get the lock.
 */
export type WithMutex = <T>(
  name: MutexName,
  signal: AbortSignal,
  work: (held: AbortSignal) => Promise<T>,
) => Promise<T>;

const leaseSeconds = 60;

/** Creates locks in the etcd of this machine. */
export function createEtcdMutex(machine: { readonly root: string; readonly clock: Clock }): WithMutex {
  return async (name, signal, work) => {
    await using client = await openLocalEtcdClient(machine);
    const call = { ...requireLeader, signal };
    const { ID } = await client.lease.leaseGrant({ TTL: BigInt(leaseSeconds) }, { ...call, timeoutMs: 10_000 });
    const done = new AbortController();
    const held = AbortSignal.any([signal, done.signal]);
    // Ended by its failure too, so that `held` aborts.
    const renewing = renew(client, ID, machine.clock, held).finally(() => done.abort());
    try {
      await client.lock.lock({ name: Buffer.from(name), lease: ID }, call);
      return await work(held);
    } finally {
      done.abort();
      await renewing;
      // The key of the lock goes with its lease. An etcd that does not answer drops both by itself later.
      await client.lease.leaseRevoke({ ID }, { timeoutMs: 5000 }).catch(() => undefined);
    }
  };
}

/** Renews the lease well before its end, until the signal aborts or etcd does not answer any more. */
async function renew(client: EtcdClient, ID: bigint, clock: Clock, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await clock.sleep((leaseSeconds * 1000) / 3, signal);
      for await (const { TTL } of client.lease.leaseKeepAlive(once({ ID }), { signal, timeoutMs: 20_000 })) {
        if (TTL <= 0n) return;
        break;
      }
    }
  } catch {
    // Aborted, or etcd is gone.
  }
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}
