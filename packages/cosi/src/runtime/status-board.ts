import type { Monitor } from "./monitor.ts";
import type { ControllerStatus } from "./status.ts";

/** The statuses of all controllers, to be read or followed. */
export interface StatusBoard {
  add(monitor: Monitor): void;
  /** Tells followers that the status of a controller changed. */
  changed(name: string): void;
  all(): readonly ControllerStatus[];
  one(name: string): ControllerStatus | undefined;
  /**
   * Everything first, then what changed since the last read. A slow reader misses states in between, never the last
   * one. Ends when the signal aborts.
   */
  follow(signal?: AbortSignal): AsyncIterable<readonly ControllerStatus[]>;
}

interface Follower {
  readonly dirty: Set<string>;
  wake: (() => void) | undefined;
}

export function createStatusBoard(): StatusBoard {
  const monitors = new Map<string, Monitor>();
  const followers = new Set<Follower>();

  async function* follow(signal?: AbortSignal): AsyncGenerator<readonly ControllerStatus[]> {
    const follower: Follower = { dirty: new Set(monitors.keys()), wake: undefined };
    const aborted = (): boolean => signal?.aborted === true;
    const wake = (): void => follower.wake?.();
    signal?.addEventListener("abort", wake, { once: true });
    followers.add(follower);
    try {
      while (!aborted()) {
        if (follower.dirty.size > 0) {
          const names = [...follower.dirty];
          follower.dirty.clear();
          yield names.flatMap((name) => monitors.get(name)?.snapshot() ?? []);
        } else {
          const { promise, resolve } = Promise.withResolvers<void>();
          follower.wake = resolve;
          await promise;
          follower.wake = undefined;
        }
      }
    } finally {
      followers.delete(follower);
      signal?.removeEventListener("abort", wake);
    }
  }

  return {
    add(monitor) {
      monitors.set(monitor.name, monitor);
    },
    changed(name) {
      for (const follower of followers) {
        follower.dirty.add(name);
        follower.wake?.();
      }
    },
    all: () => [...monitors.values()].map((monitor) => monitor.snapshot()),
    one: (name) => monitors.get(name)?.snapshot(),
    follow,
  };
}
