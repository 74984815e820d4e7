import type { ServiceImpl } from "@talos-ts/grpc";
import type { EtcdRecoveryService } from "@talos-ts/proto/recovery/recovery";

/** Handler of one method of the recovery service. */
export type RecoveryMethod<K extends keyof ServiceImpl<typeof EtcdRecoveryService>> = NonNullable<
  ServiceImpl<typeof EtcdRecoveryService>[K]
>;

/** Runs one piece of work after the other: they share the throw-away etcd and the data directory. */
export type Exclusive = <T>(work: () => Promise<T>) => Promise<T>;

export function createExclusive(): Exclusive {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work);
    last = run.catch(() => undefined);
    return run;
  };
}
