import { join } from "node:path";
import { chooseNodes } from "./choose-nodes.ts";
import { lockCluster } from "./cluster-lock.ts";
import { clustersDirectory } from "./cluster-state.ts";
import { provisionerOf } from "./provisioners.ts";
import { requireReady } from "./require-state.ts";

export interface RestartOptions {
  /** Name of the cluster. */
  readonly name: string;
  /** Name of the node. */
  readonly node: string;
  /** @default `~/.talos/clusters` */
  readonly clustersDirectory?: string;
}

/**
 * Switches a node off and on again, as if its power had failed; its volumes stay.
 *
 * @throws OsError `provision/no-node` when the cluster has no node of that name.
 */
export async function restartNode(options: RestartOptions): Promise<void> {
  const root = options.clustersDirectory ?? clustersDirectory();
  await using _lock = await lockCluster(join(root, options.name));
  const { plan } = await requireReady(root, options.name);
  for (const node of chooseNodes(plan, [options.node])) await provisionerOf(plan).restartNode(plan, node);
}
