import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ZswapStatus } from "@talos-ts/machinery/resources/block";
import { testMachine } from "../internal/testing.ts";
import { zswapStatusController } from "./zswap-status.ts";

const counters = {
  pool_total_size: 8_388_608,
  stored_pages: 4000,
  pool_limit_hit: 1,
  reject_reclaim_fail: 2,
  reject_alloc_fail: 3,
  reject_kmemcache_fail: 4,
  reject_compress_fail: 5,
  reject_compress_poor: 6,
  written_back_pages: 7,
};

describe("block.ZswapStatusController", () => {
  it("publishes the counters of the kernel", async () => {
    const { linux } = testMachine();
    for (const [name, value] of Object.entries(counters)) {
      linux.textFiles.tree.set(`/sys/kernel/debug/zswap/${name}`, `${String(value)}\n`);
    }
    await using test = controllerTest({ register: [zswapStatusController({ linux, platform: { mode: "metal" } })] });
    await test.assertSpec(ZswapStatus, ZswapStatus.id, {
      totalSize: 8_388_608,
      totalSizeHuman: "8.0 MiB",
      storedPages: 4000,
      poolLimitHit: 1,
      rejectReclaimFail: 2,
      rejectAllocFail: 3,
      rejectKmemcacheFail: 4,
      rejectCompressFail: 5,
      rejectCompressPoor: 6,
      writtenBackPages: 7,
    });
  });

  it("publishes nothing where the kernel has none", async () => {
    const { linux } = testMachine();
    await using test = controllerTest({ register: [zswapStatusController({ linux, platform: { mode: "metal" } })] });
    await test.settled();
    await test.assertNoResource(ZswapStatus, ZswapStatus.id);
  });
});
