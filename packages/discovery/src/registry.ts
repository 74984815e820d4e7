import { OsError, systemClock, type Clock } from "@talos-ts/base";
import {
  countWith,
  createRecord,
  dropEndpoints,
  mergeInto,
  storedOf,
  type AffiliateRecord,
  type StoredAffiliate,
} from "./affiliate-record.ts";
import { limits, maxAffiliates } from "./limits.ts";
import { createWatcher, type Watcher } from "./watcher.ts";

export interface RegistryOptions {
  /** @default {systemClock} */
  readonly clock?: Clock;
  /** Of all clusters together. @default {65_536} */
  readonly maxAffiliates?: number;
}

export interface AffiliateUpdate {
  readonly affiliateId: string;
  /** Encrypted data of the affiliate; without it, only endpoints are added. */
  readonly data?: Uint8Array | undefined;
  readonly endpoints: readonly Uint8Array[];
  readonly ttlMs: number;
}

/** Affiliates of all clusters, in memory, until their TTL ends. */
export interface Registry {
  /** All or nothing. @throws `discovery/too-many-affiliates`, `discovery/too-many-endpoints`, `discovery/full` */
  update(clusterId: string, update: AffiliateUpdate): void;
  delete(clusterId: string, affiliateId: string): void;
  list(clusterId: string): readonly StoredAffiliate[];
  /** Hears of every change from now on; to be disposed of. */
  watch(clusterId: string): Watcher;
  /** Forgets what is over, and tells the watchers. Returns how many affiliates that were. */
  collect(): number;
  readonly clusters: number;
  readonly affiliates: number;
}

interface ClusterRecord {
  readonly affiliates: Map<string, AffiliateRecord>;
  readonly watchers: Set<Watcher>;
}

export function createRegistry(options: RegistryOptions = {}): Registry {
  const { clock = systemClock, maxAffiliates: most = maxAffiliates } = options;
  const clusters = new Map<string, ClusterRecord>();
  let total = 0;

  function open(id: string): ClusterRecord {
    const known = clusters.get(id);
    if (known !== undefined) return known;
    const fresh: ClusterRecord = { affiliates: new Map(), watchers: new Set() };
    clusters.set(id, fresh);
    return fresh;
  }

  /** A cluster that nobody is in and nobody asks about is gone. */
  function closeIfEmpty(id: string): void {
    const cluster = clusters.get(id);
    if (cluster?.affiliates.size === 0 && cluster.watchers.size === 0) clusters.delete(id);
  }

  function remove(cluster: ClusterRecord, id: string): void {
    if (!cluster.affiliates.delete(id)) return;
    total -= 1;
    tell(cluster, id);
  }

  function tell(cluster: ClusterRecord, affiliateId: string): void {
    for (const watcher of cluster.watchers) watcher.note(affiliateId);
  }

  function read(clusterId: string, id: string): StoredAffiliate | undefined {
    const record = clusters.get(clusterId)?.affiliates.get(id);
    const now = clock.monotonic();
    return record === undefined || record.untilMs <= now ? undefined : storedOf(id, record, now);
  }

  return {
    get clusters() {
      return clusters.size;
    },
    get affiliates() {
      return total;
    },
    update(clusterId, { affiliateId, data, endpoints, ttlMs }) {
      const now = clock.monotonic();
      const cluster = open(clusterId);
      try {
        const stored = cluster.affiliates.get(affiliateId);
        const isOver = stored !== undefined && stored.untilMs <= now;
        if (stored === undefined) checkRoom(cluster.affiliates.size, total, most);
        const record = stored === undefined || isOver ? createRecord() : stored;
        if (countWith(record, endpoints, now) > limits.endpointsPerAffiliate) {
          throw exhausted("discovery/too-many-endpoints", "too many endpoints in the affiliate");
        }
        const changed = mergeInto(record, data, endpoints, now + ttlMs);
        if (stored === undefined) total += 1;
        cluster.affiliates.set(affiliateId, record);
        if (changed || record !== stored) tell(cluster, affiliateId);
      } finally {
        closeIfEmpty(clusterId);
      }
    },
    delete(clusterId, affiliateId) {
      const cluster = clusters.get(clusterId);
      if (cluster === undefined) return;
      remove(cluster, affiliateId);
      closeIfEmpty(clusterId);
    },
    list(clusterId) {
      const ids = [...(clusters.get(clusterId)?.affiliates.keys() ?? [])];
      return ids.flatMap((id) => read(clusterId, id) ?? []);
    },
    watch(clusterId) {
      const { watchers } = open(clusterId);
      const watcher = createWatcher(
        (id) => read(clusterId, id),
        () => {
          watchers.delete(watcher);
          closeIfEmpty(clusterId);
        },
      );
      watchers.add(watcher);
      return watcher;
    },
    collect() {
      const before = total;
      const now = clock.monotonic();
      for (const [clusterId, cluster] of clusters) {
        for (const [id, record] of cluster.affiliates) {
          if (record.untilMs <= now) remove(cluster, id);
          else if (dropEndpoints(record, now)) tell(cluster, id);
        }
        closeIfEmpty(clusterId);
      }
      return before - total;
    },
  };
}

function checkRoom(inCluster: number, total: number, most: number): void {
  if (inCluster >= limits.affiliatesPerCluster) {
    throw exhausted("discovery/too-many-affiliates", "too many affiliates in the cluster");
  }
  if (total >= most) throw exhausted("discovery/full", `the service has ${String(most)} affiliates and takes no more`);
}

function exhausted(code: string, message: string): OsError {
  return new OsError({ kind: "resource-exhausted", code, message });
}
