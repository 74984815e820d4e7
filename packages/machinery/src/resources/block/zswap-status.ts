import { defineResource, field, text, uint64, type SpecOf } from "../dsl/index.ts";

/** Counters of the compressed swap pool. */
export const ZswapStatus = defineResource({
  type: "ZswapStatuses.block.talos.dev",
  namespace: "runtime",
  columns: [
    ["Total Size", "{.totalSizeHuman}"],
    ["Stored Pages", "{.storedPages}"],
    ["Written Back", "{.writtenBackPages}"],
    ["Pool Limit Hit", "{.poolLimitHit}"],
  ],
  id: "zswap",
  spec: {
    totalSize: field(1, uint64),
    totalSizeHuman: field(2, text),
    storedPages: field(3, uint64),
    poolLimitHit: field(4, uint64),
    rejectReclaimFail: field(5, uint64),
    rejectAllocFail: field(6, uint64),
    rejectKmemcacheFail: field(7, uint64),
    rejectCompressFail: field(8, uint64),
    rejectCompressPoor: field(9, uint64),
    writtenBackPages: field(10, uint64),
  },
});

export type ZswapStatusSpec = SpecOf<typeof ZswapStatus>;
