import { OsError } from "@talos-ts/base";
import type { Rootfs } from "@talos-ts/imager";
import { inStage, type Progress, silent } from "@talos-ts/host";
import { createLinuxMounts, createLinuxNetworks } from "@talos-ts/linux";
import { bringUpNetwork } from "./bring-up-network.ts";
import { lockCluster } from "./cluster-lock.ts";
import { planCluster, type ClusterPlan, type ClusterRequest, type NodePlan } from "./cluster-plan.ts";
import { clustersDirectory, readState, writeState, type ClusterState } from "./cluster-state.ts";
import { removeParts } from "./destroy-cluster.ts";
import { readHostFacts } from "./host-facts.ts";
import { mountImage } from "./image-mount.ts";
import { installPackages } from "./install-packages.ts";
import { prepareMarker, prepareNode } from "./node-directory.ts";
import { layout } from "./node-layout.ts";
import { findMissing, requirementsError } from "./requirements.ts";
import { createRunc } from "./runc.ts";
import { startNode } from "./start-node.ts";

export interface CreateOptions extends ClusterRequest {
  /** Gives the image; asked only when the host can run a cluster. */
  readonly image: () => Promise<Pick<Rootfs, "squashfs" | "digest">>;
  /** The configuration of a node; without one the node waits for it. */
  readonly nodeConfig?: (node: NodePlan, plan: ClusterPlan) => Promise<string | undefined>;
  /** Installs missing Debian packages instead of only naming them. @default false */
  readonly install?: boolean;
  /** @default `~/.talos/clusters` */
  readonly clustersDirectory?: string;
  readonly signal?: AbortSignal;
}

/**
 * Creates a cluster of containers and starts its nodes; resolves as soon as they run.
 *
 * The plan is written before anything is made. When a step fails, or the signal aborts, all that was made is removed
 * again; after a crash of this process `destroyCluster` does the same.
 *
 * @throws OsError `provision/requirements` with everything the host lacks, `provision/exists` when there is a cluster of
 *   that name.
 */
export async function createCluster(options: CreateOptions, progress: Progress = silent): Promise<ClusterState> {
  const plan = planCluster(options, options.clustersDirectory ?? clustersDirectory());
  await using _lock = await lockCluster(plan.directory);
  if ((await readState(plan.directory)) !== undefined) throw alreadyThere(plan);
  await inStage(progress, "check requirements", () => checkRequirements(plan, options, progress));
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
    await makeParts(plan, image, options, progress);
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

async function checkRequirements(plan: ClusterPlan, options: CreateOptions, progress: Progress): Promise<void> {
  using network = createLinuxNetworks().here;
  let missing = await findMissing({ plan, network });
  const packages = missing.flatMap((entry) => entry.package ?? []);
  if (options.install === true && packages.length > 0 && process.getuid?.() === 0) {
    await installPackages(packages, progress, options.signal);
    missing = await findMissing({ plan, network });
  }
  if (missing.length > 0) throw requirementsError(missing);
}

async function makeParts(
  plan: ClusterPlan,
  image: Pick<Rootfs, "squashfs" | "digest">,
  options: CreateOptions,
  progress: Progress,
): Promise<void> {
  const { signal } = options;
  const networks = createLinuxNetworks();
  using here = networks.here;
  const host = await readHostFacts();
  await inStage(progress, "mount image", () =>
    mountImage(createLinuxMounts(), image, layout.rootfs(plan), progress, signal),
  );
  await bringUpNetwork(here, plan, "create network", progress, signal);
  await prepareMarker(plan);
  const runc = createRunc(plan.runtimeDirectory, signal);
  for (const [index, node] of plan.nodes.entries()) {
    signal?.throwIfAborted();
    const step = { stage: "start nodes", done: index + 1, total: plan.nodes.length };
    progress({ ...step, state: "step", detail: `${node.name} ${node.address}` });
    await prepareNode(plan, node, host, await options.nodeConfig?.(node, plan));
    await startNode(networks, runc, plan, node);
  }
  progress({ stage: "start nodes", state: "done" });
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
    message: `Cannot create cluster "${plan.name}": ${(cause as Error).message}. Removing its parts failed too: ${(cleanup as Error).message}`,
    next: `talosctl cluster destroy --name ${plan.name}`,
    cause,
  });
}
