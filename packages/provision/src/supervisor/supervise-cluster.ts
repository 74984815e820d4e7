import { systemClock, type Log } from "@talos-ts/base";
import { waitForCluster } from "../cluster-lock.ts";
import { provisionerOf } from "../provisioners.ts";
import { noCluster } from "../require-state.ts";
import { readState } from "../cluster-state.ts";
import { basename, dirname } from "node:path";
import { superviseNode } from "./supervise-node.ts";

export interface SuperviseClusterOptions {
  /** Folder of the cluster. */
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * Starts nodes of a cluster again that died; see `superviseNode`. Resolves when the signal aborts.
 *
 * @throws OsError `provision/no-cluster`.
 */
export async function superviseCluster({ directory, signal, log }: SuperviseClusterOptions): Promise<void> {
  const plan = (await readState(directory))?.plan;
  if (plan === undefined) {
    const name = basename(directory);
    throw noCluster(name, dirname(directory), `talosctl cluster create --name ${name}`);
  }
  const options = {
    provisioner: provisionerOf(plan),
    lock: () => waitForCluster(directory, signal),
    clock: systemClock,
    signal,
    log,
  };
  log(`watches ${plan.nodes.map(({ name }) => name).join(", ")}`);
  await Promise.all(plan.nodes.map((node) => superviseNode(plan, node, options))).catch((err: unknown) => {
    if (!signal.aborted) throw err;
  });
}
