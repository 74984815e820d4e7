import { OsError } from "@talos-ts/base";
import { createLogRing, type LogRing } from "./log-ring.ts";

/** The logs of the node by id: one per service, and those of machined itself. */
export interface LogStore {
  /** The log of this id, made when it is first written to. */
  open(id: string): LogRing;
  /** @throws not found */
  get(id: string): LogRing;
  ids(): readonly string[];
  /** Calls back for every piece of text of every log, synchronously and in order. */
  listen(listener: (id: string, chunk: Buffer) => void): Disposable;
}

export function createLogStore(): LogStore {
  const rings = new Map<string, LogRing>();
  const listeners = new Set<(id: string, chunk: Buffer) => void>();
  return {
    open(id) {
      const ring = rings.get(id) ?? createLogRing((chunk) => listeners.forEach((listener) => listener(id, chunk)));
      rings.set(id, ring);
      return ring;
    },
    get(id) {
      const ring = rings.get(id);
      if (ring !== undefined) return ring;
      throw new OsError({
        kind: "not-found",
        code: "logs/not-found",
        message: `log "${id}" was not registered`,
        next: `talosctl logs <id>, with one of ${[...rings.keys()].toSorted().join(", ")}; those of containers with --kubernetes`,
      });
    },
    ids: () => [...rings.keys()].toSorted(),
    listen(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}
