import { createBackoff, describeError, type BackoffOptions, type Clock } from "@talos-ts/base";
import type { Logger } from "../controller.ts";
import type { Kind } from "../resource.ts";
import type { State } from "../state.ts";
import { createKindCache, type Change, type KindCache } from "./kind-cache.ts";
import { createKindMap } from "./kind-map.ts";

/**
 * One watch per kind, shared by all controllers: it fills the read cache and wakes who depends on the kind.
 *
 * A watch that ends (the far end went away, the reader was too slow) is started again, and what changed in between is
 * found by comparing contents; controllers notice nothing but a pause.
 */
export interface WatchHub {
  cache(namespace: string, type: string): KindCache | undefined;
  all(): Iterable<KindCache>;
  /** From now on the kind is watched. */
  ensure(kind: Kind): KindCache;
  /** Watches until the signal aborts; the returned promise settles when all watches are closed. */
  start(signal: AbortSignal): void;
  stopped(): Promise<void>;
}

export interface WatchHubOptions {
  readonly state: State;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly backoff: BackoffOptions;
  readonly deliver: (kind: Kind, changes: readonly Change[]) => void;
}

export function createWatchHub(options: WatchHubOptions): WatchHub {
  const { state, logger, clock, deliver } = options;
  const caches = createKindMap<KindCache>();
  const followers: Promise<void>[] = [];
  let running: AbortSignal | undefined;

  async function watchOnce(cache: KindCache, signal: AbortSignal): Promise<void> {
    cache.restart();
    await using watch = await state.watchKind(cache.kind, { bootstrapContents: true, signal });
    for await (const events of watch) {
      const changes = cache.apply(events);
      if (changes.length > 0) deliver(cache.kind, changes);
      if (signal.aborted) return;
    }
  }

  async function follow(cache: KindCache, signal: AbortSignal): Promise<void> {
    const backoff = createBackoff(options.backoff);
    while (!signal.aborted) {
      let reason = "the watch ended";
      try {
        await watchOnce(cache, signal);
      } catch (err) {
        reason = describeError(err);
      }
      if (signal.aborted) break;
      if (cache.filling === undefined) backoff.reset();
      const { namespace, type } = cache.kind;
      logger.warn("watch failed, watching again", { namespace, type, error: reason });
      await clock.sleep(backoff.next(), signal).catch(() => undefined);
    }
    cache.close(signal.reason);
  }

  return {
    cache: (namespace, type) => caches.get(namespace, type),
    all: () => caches.values(),
    ensure(kind) {
      const known = caches.get(kind.namespace, kind.type);
      if (known !== undefined) return known;
      const cache = createKindCache({ namespace: kind.namespace, type: kind.type });
      caches.set(kind, cache);
      if (running !== undefined) followers.push(follow(cache, running));
      return cache;
    },
    start(signal) {
      running = signal;
      for (const cache of caches.values()) followers.push(follow(cache, signal));
    },
    async stopped() {
      await Promise.all(followers);
    },
  };
}
