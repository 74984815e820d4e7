import { OsError } from "@talos-ts/base";
import { createLogRing, type LogRing } from "./log-ring.ts";

/** The logs of the node by id: one per service, and those of machined itself. */
export interface LogStore {
  /** The log of this id, made when it is first written to. */
  open(id: string): LogRing;
  /** @throws not found */
  get(id: string): LogRing;
  ids(): readonly string[];
}

export function createLogStore(): LogStore {
  const rings = new Map<string, LogRing>();
  return {
    open(id) {
      const ring = rings.get(id) ?? createLogRing();
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
  };
}
