import { OsError } from "@talos-ts/base";
import type { AffiliateUpdateRequest } from "@talos-ts/proto/discovery/server";
import { limits } from "./limits.ts";

// Every request is checked before it touches anything. Texts are those that clients know.

export function checkClusterId(id: string): void {
  if (id === "") throw refused("cluster ID can't be empty");
  if (Buffer.byteLength(id) > limits.clusterIdBytes) throw refused("cluster ID is too long");
}

export function checkAffiliateId(id: string): void {
  if (id === "") throw refused("affiliate ID can't be empty");
  if (Buffer.byteLength(id) > limits.affiliateIdBytes) throw refused("affiliate ID is too long");
}

/** Returns how long it shall be kept. */
export function checkUpdate(request: AffiliateUpdateRequest): number {
  checkClusterId(request.clusterId);
  checkAffiliateId(request.affiliateId);
  if ((request.affiliateData?.length ?? 0) > limits.affiliateDataBytes) throw refused("affiliate data is too big");
  if (request.affiliateEndpoints.some(({ length }) => length > limits.endpointBytes)) {
    throw refused("affiliate endpoint is too big");
  }
  const ttlMs = Number(request.ttl?.seconds ?? 0n) * 1000 + (request.ttl?.nanos ?? 0) / 1e6;
  if (ttlMs > limits.ttlMs) throw refused("ttl is too large");
  if (!(ttlMs > 0)) throw refused("ttl must be more than nothing");
  return ttlMs;
}

function refused(message: string): OsError {
  return new OsError({ kind: "invalid-argument", code: "discovery/bad-request", message });
}
