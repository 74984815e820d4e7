import { exclusive, kindOf, reconcileController, weak, type Controller } from "@talos-ts/cosi";
import type { TextFiles } from "@talos-ts/linux";
import { ZswapStatus, type ZswapStatusSpec } from "@talos-ts/machinery/resources/block";
import { KernelParamStatus } from "@talos-ts/machinery/resources/runtime";
import type { Platform } from "../../platform.ts";
import { binarySize } from "./internal/binary-size.ts";

/** Time between looks at the counters, which announce no changes, in ms. */
const intervalMs = 60_000;
const folder = "/sys/kernel/debug/zswap";

/** File of each counter. */
const files = {
  totalSize: "pool_total_size",
  storedPages: "stored_pages",
  poolLimitHit: "pool_limit_hit",
  rejectReclaimFail: "reject_reclaim_fail",
  rejectAllocFail: "reject_alloc_fail",
  rejectKmemcacheFail: "reject_kmemcache_fail",
  rejectCompressFail: "reject_compress_fail",
  rejectCompressPoor: "reject_compress_poor",
  writtenBackPages: "written_back_pages",
} as const satisfies Partial<Record<keyof ZswapStatusSpec, string>>;

/** Publishes the counters of the compressed cache in front of swap, where the kernel has one. That of the host is nothing of a container. */
export function zswapStatusController(machine: {
  readonly platform: Pick<Platform, "mode">;
  readonly linux: { readonly textFiles: Pick<TextFiles, "read"> };
}): Controller {
  const { textFiles } = machine.linux;
  const counter = async (name: string): Promise<number> => Number((await textFiles.read(`${folder}/${name}`)).trim());
  return reconcileController({
    name: "block.ZswapStatusController",
    // Not read: they change when the cache is turned on.
    inputs: [weak(KernelParamStatus)],
    outputs: [exclusive(ZswapStatus)],
    cleanup: [kindOf(ZswapStatus)],
    async reconcile(context) {
      if (machine.platform.mode === "container") return;
      context.queueReconcile(intervalMs);
      const present = await counter(files.totalSize).catch(() => undefined);
      if (present === undefined) return;
      const counts: Record<string, number> = {};
      for (const [field, name] of Object.entries(files)) counts[field] = await counter(name);
      const spec = ZswapStatus.spec({ ...counts, totalSizeHuman: binarySize(counts["totalSize"] ?? 0) });
      await context.put(ZswapStatus, ZswapStatus.id, () => spec);
    },
  });
}
