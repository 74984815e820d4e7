import { OsError } from "@talos-ts/base";
import type { Step } from "../operation/step.ts";
import type { KeptOperation } from "./former-operation.ts";
import type { RollingContext, RollingWork } from "./rolling-work.ts";

/** Steps of rolling work, and the node whose turn it is; empty before the first. */
export interface RollingSteps {
  readonly steps: readonly Step[];
  readonly current: () => string;
}

/**
 * Makes a step of each node. What a former call has done is left out; the node whose turn it was is asked whether it has the work
 * behind itself.
 */
export function rollingSteps(
  work: RollingWork,
  context: RollingContext,
  targets: readonly string[],
  former: Pick<KeptOperation, "done" | "started"> | undefined,
): RollingSteps {
  const { cluster, tell, signal } = context;
  const behind = former?.done ?? 0;
  let current = "";
  const steps = targets.map((node, index): Step => ({
    name: `${work.kind} ${node}`,
    run: async () => {
      if (index < behind) return;
      current = node;
      const interrupted = former !== undefined && index === behind;
      if (interrupted && (await work.finish(context, node, Date.parse(former.started)))) tell(node, "was done before");
      else await oneNode(work, context, node);
      await cluster.untilHealthy(signal);
    },
  }));
  return { steps, current: () => current };
}

async function oneNode(work: RollingWork, context: RollingContext, node: string): Promise<void> {
  const { cluster, signal, tell } = context;
  await cluster.requireHealthy(work.kind, node, signal);
  const others = cluster.nodes.controlPlanes.filter((each) => each !== node);
  if (cluster.isControlPlane(node)) {
    if (work.erases && others.length === 0) throw lastControlPlane(node);
    if (!work.erases && others.length < 2) tell(node, "etcd has no quorum while this control plane is away");
  }
  await work.run(context, node);
}

function lastControlPlane(node: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "rolling/last-control-plane",
    message: `Cannot reset ${node}: it is the last control plane, the cluster would end with it`,
    next: `talosctl reset --nodes ${node} --graceful=false`,
  });
}
