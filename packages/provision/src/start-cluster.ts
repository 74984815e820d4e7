import { join } from "node:path";
import { silent, type Progress } from "@talos-ts/host";
import { chooseNodes } from "./choose-nodes.ts";
import { lockCluster } from "./cluster-lock.ts";
import type { ClusterPlan, NodePlan } from "./cluster-plan.ts";
import { clustersDirectory, writeState, type ClusterState } from "./cluster-state.ts";
import { startHostProcesses, type HostCommands } from "./host-processes.ts";
import { ensureRequirements } from "./ensure-requirements.ts";
import type { NodeImage, Work } from "./provisioner.ts";
import { provisionerOf } from "./provisioners.ts";
import { requireReady } from "./require-state.ts";

export interface StartOptions {
  readonly name: string;
  /** Names or addresses of the nodes to start. @default all */
  readonly nodes?: readonly string[];
  /** Command lines of the processes beside the nodes. @default none is started */
  readonly host?: HostCommands;
  /** Builds an image; asked only when the one the cluster was made with is no longer kept. */
  readonly image: (plan: ClusterPlan) => Promise<NodeImage>;
  /** Installs missing Debian packages instead of only naming them. @default false */
  readonly install?: boolean;
  /** @default `~/.talos/clusters` */
  readonly clustersDirectory?: string;
  readonly signal?: AbortSignal;
}

export interface StartedCluster {
  readonly state: ClusterState;
  /** The nodes that did not run before. */
  readonly started: readonly NodePlan[];
}

/**
 * Brings back what a cluster lacks, be it after `stopCluster`, after a restart of the host or because a part was taken
 * away: mounts, network, cables, and the nodes with their volumes, addresses and identities. Nodes that run go on.
 *
 * Resolves as soon as the nodes run. When the signal aborts, nodes that were started stay; another call goes on.
 *
 * @throws OsError `provision/no-cluster`, `provision/unfinished`, `provision/no-node`, `provision/requirements`.
 */
export async function startCluster(options: StartOptions, progress: Progress = silent): Promise<StartedCluster> {
  const { signal } = options;
  const root = options.clustersDirectory ?? clustersDirectory();
  await using _lock = await lockCluster(join(root, options.name));
  const state = await requireReady(root, options.name);
  const { plan } = state;
  const nodes = chooseNodes(plan, options.nodes ?? []);
  const provisioner = provisionerOf(plan);
  const work: Work = { progress, ...(signal !== undefined && { signal }) };
  await ensureRequirements(provisioner, plan, "start", { ...work, install: options.install ?? false });
  let current = state;
  const onNewImage = async (image: string): Promise<void> => {
    current = { ...state, image };
    await writeState(current);
  };
  const started = await provisioner.startNodes(
    { plan, nodes, image: state.image, buildImage: () => options.image(plan), onNewImage },
    work,
  );
  await startHostProcesses(plan, options.host ?? {});
  return { state: current, started };
}
