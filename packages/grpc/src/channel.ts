import { createBackoff, OsError, type BackoffOptions } from "@talos-ts/base";
import type { ClientTls } from "./client-tls.ts";
import { joinConnectErrors } from "./internal/connect-error.ts";
import { Endpoint, nameOf, type Connection } from "./internal/endpoint.ts";
import { createPolling, type Polling } from "./internal/polling.ts";
import { defaultLimits, type TransportLimits } from "./limits.ts";
import { parseTarget, type Target } from "./target.ts";

/** Settings of a channel. */
export interface ChannelOptions extends TransportLimits {
  /** `unix:///path`, `host:port` or `dns:///host:port`. */
  readonly target?: string;
  /** Several targets share the calls in turn, in a random order. */
  readonly targets?: readonly string[];
  /**
   * Calls that are open on one connection before the next target gets one: what few calls send and receive then leaves in few
   * writes. @default {0}, each call goes to the next target
   */
  readonly callsPerConnection?: number;
  /** Targets that are tried once none of the others can be reached, or none has been within `fallbackDelayMs`. @default none */
  readonly fallbackTargets?: readonly string[];
  /** @default {3_000} */
  readonly fallbackDelayMs?: number;
  readonly tls?: ClientTls;
  /** Chooses the HTTP proxy through which a TCP target is reached. @default none: direct connections */
  readonly proxy?: (host: string, port: number) => URL | undefined;
  /** Until the peer speaks HTTP/2. @default {20_000} */
  readonly connectTimeoutMs?: number;
  /** Between attempts at one target. @default 250 ms growing by 1.6 to 15 s */
  readonly backoff?: BackoffOptions;
  /** Pings while calls are open; servers written in Go refuse less than 300_000. @default {Infinity} */
  readonly keepAliveIntervalMs?: number;
  /** Time to wait for a PING ack before the connection is closed, in ms (grpc-go: `keepalive.Timeout`). @default {20_000} */
  readonly keepAliveTimeoutMs?: number;
  /**
   * A connection that no call has used for this long, in ms, is sent a PING together with the next call, so that a peer that
   * vanished costs `keepAliveTimeoutMs` instead of TCP's retransmission timeout. The answer to the call resets the ping
   * strikes of servers written in Go. @default {Infinity}
   */
  readonly probeIdleMs?: number;
  /**
   * Time for which the process asks for input instead of sleeping, in ms, when a call that is alone on its connection was sent,
   * and when it was answered: for servers on this machine, which answer sooner than a process falls asleep and wakes up.
   * @default none
   */
  readonly pollMs?: number;
  /** Grace period for open calls when closing, in ms. @default {0} */
  readonly graceMs?: number;
  readonly userAgent?: string;
  /** Source of randomness in [0, 1), for tests. @default {Math.random} */
  readonly random?: () => number;
}

/** The way to one or several equal servers; connects when the first call needs it, and again when it must. */
export interface Channel extends AsyncDisposable {
  readonly targets: readonly string[];
  readonly state: "idle" | "connecting" | "ready" | "failed" | "closed";
  readonly limits: Required<TransportLimits>;
  readonly userAgent: string;
  /** Set where calls that are alone are polled for. */
  readonly polling: Polling | undefined;
  /** The fallback target that calls go to now; `undefined` while another target serves them. */
  readonly fallback: string | undefined;
  /** The connection for the next call, in turn among those that are ready; `undefined` when none is. */
  ready(): Connection | undefined;
  /** Waits for a connection; without `waitForReady` it rejects as soon as every target has failed. */
  acquire(waitForReady: boolean, signal: AbortSignal): Promise<Connection>;
  close(graceMs?: number): Promise<void>;
}

interface Waiter {
  readonly waitForReady: boolean;
  readonly resolve: (connection: Connection) => void;
  readonly reject: (error: unknown) => void;
}

/** @throws {OsError} `grpc/bad-target`. */
export function createChannel(options: ChannelOptions): Channel {
  const targets = options.targets ?? (options.target === undefined ? [] : [options.target]);
  if (targets.length === 0) {
    throw new OsError({
      kind: "invalid-argument",
      code: "grpc/bad-target",
      message: "Cannot open a channel without a target",
    });
  }
  const limits = {
    maxReceiveBytes: options.maxReceiveBytes ?? defaultLimits.maxReceiveBytes,
    maxSendBytes: options.maxSendBytes ?? defaultLimits.maxSendBytes,
    streamWindowBytes: options.streamWindowBytes ?? defaultLimits.streamWindowBytes,
    sharedWindowBytes: options.sharedWindowBytes ?? defaultLimits.sharedWindowBytes,
    sessionWindowBytes: options.sessionWindowBytes ?? defaultLimits.sessionWindowBytes,
  };
  const waiters = new Set<Waiter>();
  const open = (names: readonly string[]): Endpoint[] =>
    shuffle(names.map(parseTarget), options.random ?? Math.random).map((target) => createEndpoint(target));
  const createEndpoint = (target: Target): Endpoint =>
    new Endpoint({
      ...limits,
      target,
      tls: options.tls,
      proxy: options.proxy,
      connectTimeoutMs: options.connectTimeoutMs ?? 20_000,
      backoff: createBackoff({ initialMs: 250, maxMs: 15_000, factor: 1.6, jitter: 0.2, ...options.backoff }),
      keepAlive: {
        intervalMs: options.keepAliveIntervalMs ?? Number.POSITIVE_INFINITY,
        timeoutMs: options.keepAliveTimeoutMs ?? 20_000,
        whenIdle: false,
      },
      probeIdleMs: options.probeIdleMs ?? Number.POSITIVE_INFINITY,
      onChange,
    });
  const primary = open(targets);
  const fallbacks = open(options.fallbackTargets ?? []);
  const endpoints = [...primary, ...fallbacks];
  /** Set once the primary targets have had their time. */
  let overdue = false;
  let patience: NodeJS.Timeout | undefined;
  const callsPerConnection = options.callsPerConnection ?? 0;
  /** The target that got the last call. */
  let cursor = primary.length - 1;
  let retry: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;
  let drained: (() => void) | undefined;

  /** The connection of the last call, if it takes another before the next target's turn. */
  function withRoom(): Connection | undefined {
    const last = primary[cursor]?.connection;
    return last !== undefined && last.http2.openStreams < callsPerConnection ? last : undefined;
  }

  function pick(): Connection | undefined {
    for (let step = 0; step < primary.length; step += 1) {
      const index = (cursor + 1 + step) % primary.length;
      const { connection } = primary[index] as Endpoint;
      if (connection !== undefined) {
        cursor = index;
        return connection;
      }
    }
    return fallbacks.find(({ connection }) => connection !== undefined)?.connection;
  }

  /** Dials what may be dialled: the fallbacks only when the others have failed, or take too long. */
  function dial(): void {
    for (const endpoint of primary) endpoint.connect();
    if (fallbacks.length === 0 || primary.some(({ state }) => state === "ready")) return;
    if (overdue || primary.every(({ state }) => state === "failed")) {
      for (const endpoint of fallbacks) endpoint.connect();
      return;
    }
    patience ??= setTimeout(() => {
      overdue = true;
      if (waiters.size > 0) dial();
    }, options.fallbackDelayMs ?? 3000);
  }

  function failure(): OsError | undefined {
    if (closing !== undefined) {
      return new OsError({ kind: "unavailable", code: "grpc/closed", message: "Cannot call through a closed channel" });
    }
    if (!endpoints.every((endpoint) => endpoint.state === "failed")) return undefined;
    const errors = endpoints.map((endpoint) => endpoint.error).filter((error) => error !== undefined);
    return joinConnectErrors(errors);
  }

  function onChange(): void {
    for (const waiter of waiters) {
      const connection = pick();
      const error = failure();
      if (connection !== undefined) waiter.resolve(connection);
      else if (error !== undefined && (!waiter.waitForReady || closing !== undefined)) waiter.reject(error);
      else continue;
      waiters.delete(waiter);
    }
    if (waiters.size > 0) reconnect();
    else clearTimeout(retry);
    if (endpoints.every((endpoint) => endpoint.drained)) drained?.();
  }

  /** Keeps trying for those who wait. */
  function reconnect(): void {
    if (closing !== undefined) return;
    dial();
    clearTimeout(retry);
    const next = Math.min(
      ...endpoints.map((each) => (each.state === "failed" ? each.retryAtMs : Number.POSITIVE_INFINITY)),
    );
    if (Number.isFinite(next)) {
      retry = setTimeout(
        () => {
          if (waiters.size > 0) reconnect();
        },
        Math.max(1, Math.ceil(next - performance.now())),
      );
    }
  }

  const channel: Channel = {
    targets,
    limits,
    userAgent: options.userAgent ?? "grpc-talos-ts",
    polling: options.pollMs === undefined ? undefined : createPolling({ durationMs: options.pollMs }),
    get fallback() {
      const used = primary.some(({ state }) => state === "ready")
        ? undefined
        : fallbacks.find(({ connection }) => connection !== undefined)?.connection;
      return used === undefined ? undefined : nameOf(used.target);
    },
    get state() {
      if (closing !== undefined) return "closed";
      const order = ["ready", "connecting", "idle"] as const;
      return order.find((state) => endpoints.some((endpoint) => endpoint.state === state)) ?? "failed";
    },
    ready() {
      if (closing !== undefined) return undefined;
      const last = withRoom();
      if (last !== undefined) return last;
      dial();
      return pick();
    },
    acquire(waitForReady, signal) {
      const connection = channel.ready();
      if (connection !== undefined) return Promise.resolve(connection);
      const error = failure();
      if (error !== undefined && (!waitForReady || closing !== undefined)) return Promise.reject(error);
      return new Promise<Connection>((resolve, reject) => {
        const aborted = (): void => {
          waiters.delete(waiter);
          if (waiters.size === 0) clearTimeout(retry);
          reject(signal.reason as Error);
        };
        const waiter: Waiter = {
          waitForReady,
          resolve(ready) {
            signal.removeEventListener("abort", aborted);
            resolve(ready);
          },
          reject(reason) {
            signal.removeEventListener("abort", aborted);
            reject(reason);
          },
        };
        signal.addEventListener("abort", aborted, { once: true });
        waiters.add(waiter);
        reconnect();
      });
    },
    close(graceMs = options.graceMs ?? 0) {
      closing ??= (async () => {
        clearTimeout(retry);
        clearTimeout(patience);
        const empty = Promise.withResolvers<void>();
        drained = empty.resolve;
        for (const endpoint of endpoints) endpoint.close();
        const force = setTimeout(() => {
          for (const endpoint of endpoints) endpoint.destroy();
        }, graceMs);
        queueMicrotask(onChange);
        await empty.promise;
        clearTimeout(force);
      })();
      return closing;
    },
    [Symbol.asyncDispose]: () => channel.close(),
  };
  return channel;
}

function shuffle<T>(items: T[], random: () => number): T[] {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [items[index], items[other]] = [items[other] as T, items[index] as T];
  }
  return items;
}
