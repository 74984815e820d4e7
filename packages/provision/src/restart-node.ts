import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { createLinuxNetworks } from "@talos-ts/linux";
import { lockCluster } from "./cluster-lock.ts";
import { clustersDirectory, readState } from "./cluster-state.ts";
import { createRunc } from "./runc.ts";
import { startNode } from "./start-node.ts";

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
  const directory = join(options.clustersDirectory ?? clustersDirectory(), options.name);
  await using _lock = await lockCluster(directory);
  const state = await readState(directory);
  const node = state?.plan.nodes.find(({ name }) => name === options.node);
  if (state === undefined || node === undefined) throw noNode(options);
  const networks = createLinuxNetworks();
  using here = networks.here;
  const runc = createRunc(state.plan.runtimeDirectory);
  await runc.remove(node.name);
  // The namespace of the old container may outlive it for a moment, and with it the old cable.
  const cable = await here.link(node.link);
  if (cable !== undefined) await here.deleteLink(cable.index).catch(() => {});
  await startNode(networks, runc, state.plan, node);
}

function noNode({ name, node }: RestartOptions): OsError {
  return new OsError({
    kind: "not-found",
    code: "provision/no-node",
    message: `Looked for node "${node}" of cluster "${name}", there is none`,
    next: `talosctl cluster show --name ${name}`,
  });
}
