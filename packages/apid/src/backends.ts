import { OsError, systemClock, type Clock } from "@talos-ts/base";
import { createChannel, type Channel, type ClientTlsMaterial } from "@talos-ts/grpc";
import { maxMessageBytes } from "@talos-ts/machinery/constants";
import { targetAddress } from "./target.ts";

/** Upper bound of what a node that is down costs a call, in ms. */
const deadNodeMs = 5000;

export interface BackendsOptions {
  /** The port apid listens on everywhere. */
  readonly port: number;
  /** Asked at every new connection; `undefined` means this node cannot forward. */
  readonly material: () => ClientTlsMaterial | undefined;
  /** Connections nobody used for so long are closed. @default {900_000} */
  readonly idleMs?: number;
  /** Number of unused connections that are kept. @default {256} */
  readonly maxIdle?: number;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** A leased channel to another node. */
export interface Lease extends Disposable {
  readonly target: string;
  readonly channel: Channel;
}

/** Connections to apid on other nodes, shared by all calls to the same node. */
export interface Backends extends AsyncDisposable {
  /**
   * @param fresh Connects anew; later calls share that connection, and calls under way keep theirs. Default: false.
   * @throws {OsError} `apid/invalid-target`.
   */
  lease(target: string, fresh?: boolean): Lease;
  /** New calls connect anew, with new credentials; calls under way keep their connection. */
  flush(): void;
  /** Nodes with a connection for new calls. */
  readonly size: number;
}

interface Backend {
  readonly target: string;
  readonly channel: Channel;
  leases: number;
  usedAtMs: number;
}

export function createBackends(options: BackendsOptions): Backends {
  const { port, material, idleMs = 900_000, maxIdle = 256, clock = systemClock } = options;
  /** In order of last use, for new calls. */
  const current = new Map<string, Backend>();
  const all = new Set<Backend>();
  const stop = new AbortController();
  const sweeping = sweep();

  function open(target: string): Backend {
    const channel = createChannel({
      target: targetAddress(target, port),
      tls: { material: clientMaterial },
      maxReceiveBytes: maxMessageBytes,
      maxSendBytes: maxMessageBytes,
      streamWindowBytes: 65_535 * 32,
      sessionWindowBytes: 65_535 * 32,
      connectTimeoutMs: deadNodeMs,
      probeIdleMs: 1000,
      keepAliveTimeoutMs: deadNodeMs,
    });
    const backend: Backend = { target, channel, leases: 0, usedAtMs: clock.monotonic() };
    all.add(backend);
    return backend;
  }

  function clientMaterial(): ClientTlsMaterial {
    const found = material();
    if (found !== undefined) return found;
    throw new OsError({ kind: "permission-denied", code: "apid/no-forwarding", message: "no request forwarding" });
  }

  /** Closes a backend that no new call will get, once no call uses it. */
  function release(backend: Backend): void {
    if (backend.leases > 0 || current.get(backend.target) === backend || !all.delete(backend)) return;
    void backend.channel.close();
  }

  function retire(backend: Backend): void {
    if (current.get(backend.target) === backend) current.delete(backend.target);
    release(backend);
  }

  function retireSurplus(): void {
    const idle = [...current.values()].filter(({ leases }) => leases === 0);
    for (const backend of idle.slice(0, Math.max(0, idle.length - maxIdle))) retire(backend);
  }

  async function sweep(): Promise<void> {
    while (!stop.signal.aborted) {
      await clock.sleep(idleMs / 8, stop.signal).catch(() => undefined);
      const before = clock.monotonic() - idleMs;
      for (const backend of current.values()) if (backend.leases === 0 && backend.usedAtMs <= before) retire(backend);
    }
  }

  return {
    get size() {
      return current.size;
    },
    lease(target, fresh = false) {
      const known = current.get(target);
      if (fresh && known !== undefined) retire(known);
      const backend = current.get(target) ?? open(target);
      current.delete(target);
      current.set(target, backend);
      backend.leases += 1;
      let held = true;
      return {
        target,
        channel: backend.channel,
        [Symbol.dispose]() {
          if (!held) return;
          held = false;
          backend.leases -= 1;
          backend.usedAtMs = clock.monotonic();
          release(backend);
          if (current.size > maxIdle) retireSurplus();
        },
      };
    },
    flush() {
      for (const backend of current.values()) retire(backend);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await sweeping;
      current.clear();
      await Promise.all([...all].map(({ channel }) => channel.close()));
      all.clear();
    },
  };
}
