import { type Clock, OsError } from "@talos-ts/base";
import type { EtcdClient } from "../etcd-client.ts";

/** A lease that is kept alive; keys that are bound to it go with it. */
export interface EtcdSession extends AsyncDisposable {
  readonly lease: bigint;
  /** Aborts when the lease may have ended on the side of etcd, or when the session is disposed. */
  readonly ended: AbortSignal;
}

/** Describes how a session is kept. */
export interface SessionOptions {
  readonly clock: Clock;
  /** Seconds until etcd drops the keys of a machine that is gone. */
  readonly ttlSeconds: number;
  readonly signal: AbortSignal;
}

/**
 * Opens a session and renews its lease each third of its time. Disposing revokes the lease.
 *
 * A machine that cannot renew counts the session as ended before etcd does: time runs from the moment a renewal was sent.
 */
export async function openEtcdSession(
  { lease }: Pick<EtcdClient, "lease">,
  { clock, ttlSeconds, signal }: SessionOptions,
): Promise<EtcdSession> {
  const ttlMs = ttlSeconds * 1000;
  const callMs = ttlMs / 3;
  let validUntil = clock.monotonic() + ttlMs;
  const granted = await lease.leaseGrant({ TTL: BigInt(ttlSeconds) }, { signal, timeoutMs: callMs });
  const id = granted.ID;
  const over = new AbortController();
  const ended = AbortSignal.any([over.signal, signal]);

  async function renew(): Promise<boolean> {
    const sentAt = clock.monotonic();
    const answers = lease.leaseKeepAlive(one({ ID: id }), { signal: ended, timeoutMs: callMs });
    for await (const { TTL } of answers) {
      if (TTL <= 0n) return false;
      validUntil = sentAt + Number(TTL) * 1000;
      return true;
    }
    return true;
  }

  async function keep(): Promise<void> {
    for (;;) {
      await clock.sleep(Math.min(callMs, Math.max(0, validUntil - clock.monotonic())), ended);
      const alive = await renew().catch(() => true);
      if (alive && clock.monotonic() < validUntil) continue;
      over.abort(new OsError({ kind: "unavailable", code: "etcd/session-lost", message: "the etcd lease was lost" }));
      return;
    }
  }

  keep().catch(() => undefined);
  return {
    lease: id,
    ended,
    async [Symbol.asyncDispose]() {
      over.abort();
      // A lease that cannot be revoked ends by itself.
      await lease.leaseRevoke({ ID: id }, { timeoutMs: callMs }).catch(() => undefined);
    },
  };
}

async function* one<T>(value: T): AsyncGenerator<T> {
  yield value;
}
