import type { Clock } from "@talos-ts/base";
import { createTcpBalancer, type Upstream } from "./tcp-balancer.ts";
import { createUpstreamHealth, keyOf, type Probe } from "./upstream-health.ts";

/** Describes where a balancer listens and how it probes. */
export interface BalancerOptions {
  /** Address and port to listen on; port 0 picks a free one. */
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly probe: Probe;
  /** Time between probes of a healthy upstream, in ms. */
  readonly intervalMs: number;
  /** Time between probes of one that is not, in ms. */
  readonly retryMs: number;
  /** Time until a probe counts as unanswered, in ms. */
  readonly timeoutMs: number;
  /** Time to wait for an upstream to accept a connection before the next one is tried, in ms. @default 5000 */
  readonly dialTimeoutMs?: number;
  /** Called when an upstream becomes healthy or ceases to be. */
  readonly onChange?: () => void;
  /** Called when an upstream did not accept a connection. */
  readonly onDialError?: (upstream: Upstream, error: unknown) => void;
}

/** A listening TCP load balancer with health probes. */
export interface Balancer extends AsyncDisposable {
  readonly port: number;
  readonly anyHealthy: boolean;
  /** Replaces the upstreams; connections to those that are gone are reset. */
  follow(upstreams: readonly Upstream[]): void;
}

/**
 * Listens at once, and forwards each connection to a healthy upstream in turn; the others are tried last, as a probe may be older
 * than the server. Connections to an upstream that stops answering are reset, so that clients reconnect to another one instead of
 * waiting for TCP to give up.
 */
export async function createBalancer(options: BalancerOptions): Promise<Balancer> {
  const { host, port, onChange, onDialError, dialTimeoutMs } = options;
  const end = new AbortController();
  let turn = 0;
  let upstreams: readonly Upstream[] = [];
  const health = createUpstreamHealth({
    ...options,
    signal: end.signal,
    onChange: () => onChange?.(),
    onUnreachable: (lost) => listener.drop((upstream) => keyOf(upstream) !== keyOf(lost)),
  });

  function candidates(): readonly Upstream[] {
    turn += 1;
    const healthy = upstreams.filter((upstream) => health.isHealthy(upstream));
    const others = upstreams.filter((upstream) => !health.isHealthy(upstream));
    const start = healthy.length === 0 ? 0 : turn % healthy.length;
    return [...healthy.slice(start), ...healthy.slice(0, start), ...others];
  }

  const listener = await createTcpBalancer({
    host,
    port,
    upstreams: candidates,
    ...(dialTimeoutMs !== undefined && { dialTimeoutMs }),
    onDialError(upstream, error) {
      onDialError?.(upstream, error);
      health.failed(upstream);
    },
  });
  return {
    port: listener.port,
    get anyHealthy() {
      return health.anyHealthy;
    },
    follow(wanted) {
      upstreams = wanted;
      health.follow(wanted);
      const known = new Set(wanted.map(keyOf));
      listener.drop((upstream) => known.has(keyOf(upstream)));
    },
    async [Symbol.asyncDispose]() {
      health.follow([]);
      end.abort();
      await listener[Symbol.asyncDispose]();
    },
  };
}
