import { addressBytes } from "@talos-ts/base/net";
import type { ServiceImpl } from "@talos-ts/grpc";
import type { Cluster } from "@talos-ts/proto/discovery/server";
import type { StoredAffiliate } from "./affiliate-record.ts";
import { checkAffiliateId, checkClusterId, checkUpdate } from "./check-request.ts";
import type { ClientAddress } from "./client-address.ts";
import type { Registry } from "./registry.ts";

export interface ClusterServiceOptions {
  readonly registry: Registry;
  readonly addressOf: ClientAddress;
  /** Ends the watches. */
  readonly signal: AbortSignal;
  /** Another service, `host:port`, that all clients shall go to. */
  readonly redirect?: string;
}

/** Affiliates in one message: even the largest then fit what gRPC clients take by default. */
const batch = 256;

/** The protocol over a registry. */
export function clusterService(options: ClusterServiceOptions): ServiceImpl<typeof Cluster> {
  const { registry, redirect } = options;
  return {
    hello({ clusterId }, context) {
      checkClusterId(clusterId);
      const address = options.addressOf(context);
      return {
        ...(redirect !== undefined && { redirect: { endpoint: redirect } }),
        ...(address !== undefined && { clientIp: addressBytes(address) }),
      };
    },
    affiliateUpdate(request) {
      const ttlMs = checkUpdate(request);
      const { clusterId, affiliateId, affiliateData: data, affiliateEndpoints: endpoints } = request;
      registry.update(clusterId, { affiliateId, data, endpoints, ttlMs });
      return {};
    },
    affiliateDelete({ clusterId, affiliateId }) {
      checkClusterId(clusterId);
      checkAffiliateId(affiliateId);
      registry.delete(clusterId, affiliateId);
      return {};
    },
    list({ clusterId }) {
      checkClusterId(clusterId);
      return { affiliates: [...registry.list(clusterId)] };
    },
    async *watch({ clusterId }, context) {
      checkClusterId(clusterId);
      const signal = AbortSignal.any([context.signal, options.signal]);
      using watcher = registry.watch(clusterId);
      signal.addEventListener("abort", () => watcher.wake(), { once: true });
      const [first = [], ...rest] = batches(registry.list(clusterId));
      yield { affiliates: first };
      for (const affiliates of rest) yield { affiliates };
      while (!signal.aborted) {
        await watcher.changed;
        const { updated, deleted } = watcher.take();
        for (const affiliates of batches(updated)) yield { affiliates };
        if (deleted.length > 0) yield { affiliates: deleted.map((id) => ({ id })), deleted: true };
      }
    },
  };
}

function batches(affiliates: readonly StoredAffiliate[]): StoredAffiliate[][] {
  return Array.from({ length: Math.ceil(affiliates.length / batch) }, (_, index) =>
    affiliates.slice(index * batch, (index + 1) * batch),
  );
}
