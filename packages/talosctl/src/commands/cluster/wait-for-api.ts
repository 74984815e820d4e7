import type { Progress } from "@talos-ts/host";
import { waitForNodes, type ClusterPlan } from "@talos-ts/provision";
import type { Invocation } from "../../command.ts";
import { parseDuration } from "../../output/go-duration.ts";
import { textOption } from "../../values.ts";

/** Waits for the nodes of a plan as the flags say: for so long, or not at all. */
export async function waitForApi(invocation: Invocation, plan: ClusterPlan, progress: Progress): Promise<void> {
  if (invocation.options["wait"] === false || plan.nodes.length === 0) return;
  await waitForNodes(plan, { signal: apiDeadline(invocation) }, progress).catch((err: unknown) => {
    // Who ends the command knows why nothing answered.
    invocation.signal.throwIfAborted();
    throw err;
  });
}

/** Aborts with the command, or when waiting for nodes has taken as long as it may. */
export function apiDeadline(invocation: Invocation): AbortSignal {
  const timeout = AbortSignal.timeout(parseDuration(textOption(invocation, "waitTimeout") ?? "20m"));
  return AbortSignal.any([invocation.signal, timeout]);
}
