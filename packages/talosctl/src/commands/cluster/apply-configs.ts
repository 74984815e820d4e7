import { isKind, systemClock } from "@talos-ts/base";
import { inStage, type Progress } from "@talos-ts/host";
import { connectApi, contextTls, insecureTls } from "@talos-ts/machinery/client";
import { contextCredentials, resolveContext } from "@talos-ts/machinery/talosconfig";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { ClusterConfigs, ClusterPlan, NodePlan } from "@talos-ts/provision";

const pauseMs = 250;

/** Gives every node of a new cluster its configuration in maintenance mode, and waits until it runs with it. */
export async function applyConfigs(
  plan: ClusterPlan,
  configs: ClusterConfigs,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> {
  const stage = "apply configurations";
  await inStage(progress, stage, async () => {
    for (const [index, node] of plan.nodes.entries()) {
      progress({ stage, state: "step", detail: node.name, done: index + 1, total: plan.nodes.length });
      await applyConfig(node, configs.nodeConfig(node), signal);
    }
    await Promise.all(plan.nodes.map((node) => answersOwner(node, configs, signal)));
  });
}

async function applyConfig({ address }: NodePlan, config: string, signal: AbortSignal): Promise<void> {
  await using api = connectApi({ endpoints: [address], tls: insecureTls() });
  await untilReachable(signal, () =>
    api.service(MachineService).applyConfiguration({ data: Buffer.from(config) }, { signal }),
  );
}

/** A node that is configured answers those who have a certificate of its cluster. */
async function answersOwner(
  { address }: NodePlan,
  { talosconfig }: ClusterConfigs,
  signal: AbortSignal,
): Promise<void> {
  const context = resolveContext(talosconfig, undefined);
  const tls = contextTls(contextCredentials(context, talosconfig.context));
  await using api = connectApi({ endpoints: [address], tls });
  await untilReachable(signal, () => api.service(MachineService).version({}, { signal }));
}

async function untilReachable(signal: AbortSignal, call: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await call();
      return;
    } catch (err) {
      signal.throwIfAborted();
      if (!isKind(err, "unavailable")) throw err;
    }
    await systemClock.sleep(pauseMs, signal);
  }
}
