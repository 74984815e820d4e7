/** Limits per cluster, per affiliate and per address. Clients rely on them. */
export const limits = {
  clusterIdBytes: 256,
  affiliateIdBytes: 256,
  affiliateDataBytes: 2048,
  endpointBytes: 32,
  endpointsPerAffiliate: 64,
  affiliatesPerCluster: 1024,
  ttlMs: 30 * 60_000,
  requestsPerSecond: 15,
  requestBurst: 60,
} as const;

/** Affiliates of all clusters together: a bound for the memory of the service, not for honest clusters. */
export const maxAffiliates = 65_536;
