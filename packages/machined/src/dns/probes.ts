import type { Clock } from "@talos-ts/base";

/** How long to wait for a server, and until the next look at it when it was well or was not. */
const patienceMs = 2000;
const wellMs = 60_000;
const unwellMs = 5000;

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
    const late = new AbortController();
    const done = new AbortController();
    clock.sleep(patienceMs, done.signal).then(
      () => late.abort(),
      () => undefined,
    );
    try {
      await probe(host, AbortSignal.any([signal, late.signal]));
      return true;
    } catch {
      return false;
    } finally {
      done.abort();
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
      await clock.sleep(well ? wellMs : unwellMs, signal).catch(() => undefined);
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
