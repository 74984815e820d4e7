import { describeError } from "@talos-ts/base";
import { inStage, type Progress } from "@talos-ts/host";
import type { Network } from "@talos-ts/linux";
import { ensureBridge } from "./cluster-network.ts";
import type { ClusterPlan } from "../cluster-plan.ts";
import { enableNat } from "./nat.ts";

/** Makes the bridge and the way out of a cluster, or what is missing of them. The image is mounted already. */
export async function bringUpNetwork(
  here: Network,
  plan: ClusterPlan,
  stage: string,
  progress: Progress,
  signal?: AbortSignal,
): Promise<void> {
  await inStage(progress, stage, async () => {
    await ensureBridge(here, plan);
    await enableNat(plan, signal).catch((err: unknown) => {
      signal?.throwIfAborted();
      if (plan.exposedPorts !== undefined) throw err;
      // Nodes work without a way out, as long as their images are near.
      progress({ stage, state: "step", detail: `no NAT: ${describeError(err)}` });
    });
  });
}
