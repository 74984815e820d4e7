import type { Clock } from "@talos-ts/base";
import type { Upstream } from "./tcp-balancer.ts";

/**
 * `ready` serves, `not-ready` answers but asks not to be sent more, `unreachable` does not answer: its connections are dead, too.
 */
export type UpstreamState = "ready" | "not-ready" | "unreachable";

/** Asks an upstream for its state; resolves soon after the signal aborts and never rejects. */
export type Probe = (upstream: Upstream, signal: AbortSignal) => Promise<UpstreamState>;

export interface UpstreamHealthOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly probe: Probe;
  /** Time between probes of a healthy upstream, in ms. */
  readonly intervalMs: number;
  /** Time between probes of one that is not, in ms: shorter, since everything on the machine waits for the first one. */
  readonly retryMs: number;
  /** Time until a probe counts as failed, in ms. */
  readonly timeoutMs: number;
  /** Called when an upstream becomes healthy or ceases to be. */
  readonly onChange: () => void;
  /** Called when a probe finds an upstream unreachable that answered the one before. */
  readonly onUnreachable: (upstream: Upstream) => void;
}

/** Health of a changing set of upstreams. */
export interface UpstreamHealth {
  follow(upstreams: readonly Upstream[]): void;
  /** Records a failed connection; the upstream is probed again at once. */
  failed(upstream: Upstream): void;
  isHealthy(upstream: Upstream): boolean;
  readonly anyHealthy: boolean;
}

interface Followed {
  readonly upstream: Upstream;
  readonly end: AbortController;
  healthy: boolean;
  /** True when the last probe was answered. */
  reachable: boolean;
  /** Ends the sleep before the next probe. */
  hurry: AbortController;
}

/** Probes each upstream on its own until it is no longer followed or the signal aborts. */
export function createUpstreamHealth(options: UpstreamHealthOptions): UpstreamHealth {
  const { clock, probe, onChange, onUnreachable } = options;
  const followed = new Map<string, Followed>();

  async function probeOnce(one: Followed): Promise<UpstreamState> {
    const limit = new AbortController();
    const done = new AbortController();
    void clock.sleep(options.timeoutMs, done.signal).then(
      () => limit.abort(),
      () => undefined,
    );
    try {
      return await probe(one.upstream, AbortSignal.any([one.end.signal, limit.signal]));
    } finally {
      done.abort();
    }
  }

  async function run(one: Followed): Promise<void> {
    const ended = AbortSignal.any([one.end.signal, options.signal]);
    while (!ended.aborted) {
      const state = await probeOnce(one);
      if (ended.aborted) return;
      const healthy = state === "ready";
      if (healthy !== one.healthy) {
        one.healthy = healthy;
        onChange();
      }
      if (state === "unreachable" && one.reachable) onUnreachable(one.upstream);
      one.reachable = state !== "unreachable";
      one.hurry = new AbortController();
      const pauseMs = healthy ? options.intervalMs : options.retryMs;
      // Rejects when it is ended or hurried; the loop sees the first, and the second is what it is for.
      await clock.sleep(pauseMs, AbortSignal.any([ended, one.hurry.signal])).catch(() => undefined);
    }
  }

  return {
    follow(upstreams) {
      const wanted = new Set(upstreams.map(keyOf));
      for (const [key, { end }] of followed) {
        if (wanted.has(key)) continue;
        end.abort();
        followed.delete(key);
      }
      for (const upstream of upstreams) {
        if (followed.has(keyOf(upstream))) continue;
        const one = {
          upstream,
          end: new AbortController(),
          hurry: new AbortController(),
          healthy: false,
          reachable: false,
        };
        followed.set(keyOf(upstream), one);
        void run(one);
      }
    },
    failed(upstream) {
      const one = followed.get(keyOf(upstream));
      if (one?.healthy !== true) return;
      one.healthy = false;
      onChange();
      one.hurry.abort();
    },
    isHealthy: (upstream) => followed.get(keyOf(upstream))?.healthy === true,
    get anyHealthy() {
      return [...followed.values()].some(({ healthy }) => healthy);
    },
  };
}

/** Identity of an upstream, for maps and sets. */
export function keyOf({ host, port }: Upstream): string {
  return `${host} ${String(port)}`;
}
