import { timeLimit, type Clock } from "@talos-ts/base";

/** Timeout of one probe, and the time until the next one for a healthy and for an unhealthy server. */
const timeoutMs = 2000;
const healthyPeriodMs = 60_000;
const unhealthyPeriodMs = 5000;

export interface ProbeOptions {
  readonly clock: Clock;
  /** Resolves if the host answers. */
  readonly probe: (host: string, signal: AbortSignal) => Promise<void>;
  /** Called when a host turned well or unwell. */
  readonly changed: () => void;
}

/** Looks at servers again and again. Disposing stops it. */
export interface Probes extends Disposable {
  /** From now on looks at these hosts and no others. */
  follow(hosts: readonly string[]): void;
  isWell(host: string): boolean;
}

export function createProbes({ clock, probe, changed }: ProbeOptions): Probes {
  const running = new Map<string, AbortController>();
  const unwell = new Set<string>();

  async function answersInTime(host: string, signal: AbortSignal): Promise<boolean> {
    using limit = timeLimit(timeoutMs, { clock, signal });
    try {
      await probe(host, limit.signal);
      return true;
    } catch {
      return false;
    }
  }

  async function watch(host: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const well = await answersInTime(host, signal);
      if (signal.aborted) return;
      const turned = well === unwell.has(host);
      if (well) unwell.delete(host);
      else unwell.add(host);
      if (turned) changed();
      await clock.sleep(well ? healthyPeriodMs : unhealthyPeriodMs, signal).catch(() => undefined);
    }
  }

  function stop(host: string): void {
    running.get(host)?.abort();
    running.delete(host);
    unwell.delete(host);
  }

  return {
    follow(hosts) {
      for (const host of running.keys()) if (!hosts.includes(host)) stop(host);
      for (const host of hosts) {
        if (running.has(host)) continue;
        const abort = new AbortController();
        running.set(host, abort);
        void watch(host, abort.signal);
      }
    },
    isWell: (host) => !unwell.has(host),
    [Symbol.dispose]() {
      for (const host of running.keys()) stop(host);
    },
  };
}
