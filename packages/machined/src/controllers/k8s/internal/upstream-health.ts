import { request } from "node:https";
import type { Clock } from "@talos-ts/base";
import type { Upstream } from "./tcp-balancer.ts";

/** Whether an API server can serve; never rejects. */
export type Probe = (upstream: Upstream, signal: AbortSignal) => Promise<boolean>;

/**
 * Asks `/readyz` of an API server. A refusal to answer without credentials (401, 403) is an answer, too. The certificate is not
 * verified: the balancer only forwards bytes, and its clients verify the server they reach.
 */
export const probeApiServer: Probe = ({ host, port }, signal) =>
  new Promise((resolve) => {
    const options = { host, port, path: "/readyz", rejectUnauthorized: false, agent: false, signal } as const;
    const probe = request(options, (response) => {
      response.resume();
      response.once("error", () => resolve(false));
      response.once("end", () => resolve(readyStatuses.has(response.statusCode ?? 0)));
    });
    probe.once("error", () => resolve(false));
    probe.end();
  });

const readyStatuses: ReadonlySet<number> = new Set([200, 401, 403]);

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
  /** An upstream became healthy or ceased to be. */
  readonly onChange: () => void;
}

/** Probes a changing set of upstreams. */
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
  /** Ends the sleep before the next probe. */
  hurry: AbortController;
}

export function createUpstreamHealth(options: UpstreamHealthOptions): UpstreamHealth {
  const { clock, probe, onChange } = options;
  const followed = new Map<string, Followed>();

  async function probeOnce(one: Followed): Promise<boolean> {
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
      const healthy = await probeOnce(one);
      if (ended.aborted) return;
      if (healthy !== one.healthy) {
        one.healthy = healthy;
        onChange();
      }
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
        const one = { upstream, end: new AbortController(), hurry: new AbortController(), healthy: false };
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

export function keyOf({ host, port }: Upstream): string {
  return `${host} ${String(port)}`;
}
