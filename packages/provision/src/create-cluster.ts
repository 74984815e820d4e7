import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describeError, OsError } from "@talos-ts/base";
import { inStage, silent, type Progress } from "@talos-ts/host";
import { lockCluster } from "./cluster-lock.ts";
import { planCluster, type ClusterPlan, type ClusterRequest, type NodePlan } from "./cluster-plan.ts";
import { clustersDirectory, readState, writeState, type ClusterState } from "./cluster-state.ts";
import { startHostProcesses, type HostCommands } from "./host-processes.ts";
import { removeParts } from "./destroy-cluster.ts";
import { ensureRequirements } from "./ensure-requirements.ts";
import type { NodeImage, Work } from "./provisioner.ts";
import { provisionerOf } from "./provisioners.ts";

export interface CreateOptions extends ClusterRequest {
  /** Gives the image; asked only when the host can run a cluster. */
  readonly image: () => Promise<NodeImage>;
  /** Gives the folder of the image cache, and `kubectl` when there is one; asked only when the host can run a cluster. */
  readonly images?: () => Promise<{ readonly layout: string; readonly kubectl?: string }>;
  /** The configuration of a node; without one the node waits for it. */
  readonly nodeConfig?: (node: NodePlan, plan: ClusterPlan) => Promise<string | undefined>;
  /** Command lines of the processes beside the nodes. @default the cluster has none */
  readonly host?: HostCommands;
  /** Installs missing Debian packages instead of only naming them. @default false */
  readonly install?: boolean;
  /** @default `~/.talos/clusters` */
  readonly clustersDirectory?: string;
  readonly signal?: AbortSignal;
}

/**
 * Creates a cluster and starts its nodes; resolves as soon as they run.
 *
 * The plan is written before anything is made. When a step fails, or the signal aborts, all that was made is removed
 * again; after a crash of this process `destroyCluster` does the same.
 *
 * @throws OsError `provision/requirements` with everything the host lacks, `provision/exists` when there is a cluster of
 *   that name.
 */
export async function createCluster(options: CreateOptions, progress: Progress = silent): Promise<ClusterState> {
  const planned = planCluster(options, options.clustersDirectory ?? clustersDirectory());
  await using _lock = await lockCluster(planned.directory);
  if ((await readState(planned.directory)) !== undefined) throw alreadyThere(planned);
  const provisioner = provisionerOf(planned);
  const work: Work = { progress, ...(options.signal !== undefined && { signal: options.signal }) };
  const { install = false } = options;
  await inStage(progress, "check requirements", () =>
    ensureRequirements(provisioner, planned, "create", { ...work, install }),
  );
  const images = await options.images?.();
  const plan: ClusterPlan = { ...planned, ...(images !== undefined && { imageCache: images.layout }) };
  const image = await options.image();
  const state: ClusterState = {
    version: 1,
    phase: "creating",
    createdAt: new Date().toISOString(),
    image: image.digest,
    plan,
  };
  try {
    await writeState(state);
    if (images?.kubectl !== undefined) await linkKubectl(plan, images.kubectl);
    await provisioner.createNodes(plan, image, async (node) => options.nodeConfig?.(node, plan), work);
    // After the network they listen on; nodes try again until they are there.
    await startHostProcesses(plan, options.host ?? {});
    const ready: ClusterState = { ...state, phase: "ready" };
    await writeState(ready);
    return ready;
  } catch (err) {
    progress({ stage: "undo", state: "start" });
    await removeParts(plan, silent).catch((cleanup: unknown) => {
      throw incomplete(plan, err, cleanup);
    });
    progress({ stage: "undo", state: "done" });
    throw explain(plan, err);
  }
}

/** A client of the version the cluster runs, for scripts that want exactly that one. */
async function linkKubectl({ directory }: ClusterPlan, kubectl: string): Promise<void> {
  await rm(join(directory, "kubectl"), { force: true });
  await symlink(kubectl, join(directory, "kubectl"));
}

/** Errors of the file system name a path, but not what it was written for. */
function explain(plan: ClusterPlan, cause: unknown): unknown {
  const { code, path } = cause as NodeJS.ErrnoException;
  if (code !== "ENOSPC" && code !== "EDQUOT") return cause;
  return new OsError({
    kind: "resource-exhausted",
    code: "provision/no-space",
    message: `Cannot create cluster "${plan.name}": there is no space left in "${path ?? plan.directory}"; nothing was kept`,
    next: `df -h ${plan.directory}`,
    cause,
  });
}

function alreadyThere(plan: ClusterPlan): OsError {
  return new OsError({
    kind: "already-exists",
    code: "provision/exists",
    message: `Cannot create cluster "${plan.name}": there is one already in "${plan.directory}"`,
    next: `talosctl cluster start --name ${plan.name}, or talosctl cluster destroy --name ${plan.name}`,
  });
}

function incomplete(plan: ClusterPlan, cause: unknown, cleanup: unknown): OsError {
  return new OsError({
    kind: "internal",
    code: "provision/incomplete",
    message: `Cannot create cluster "${plan.name}": ${describeError(cause)}. Removing its parts failed too: ${describeError(cleanup)}`,
    next: `talosctl cluster destroy --name ${plan.name}`,
    cause,
  });
}
