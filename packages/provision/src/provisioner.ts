import type { Clock } from "@talos-ts/base";
import type { Progress } from "@talos-ts/host";
import type { Rootfs } from "@talos-ts/imager";
import type { Death } from "@talos-ts/machinery/power-record";
import type { ClusterIdentity } from "./cluster-identity.ts";
import type { ClusterPlan, NodePlan, ProvisionerName } from "./cluster-plan.ts";
import type { Missing } from "./requirements.ts";

/** The image nodes boot from; its digest identifies it in the cluster's state. */
export type NodeImage = Pick<Rootfs, "squashfs" | "digest">;

/** Progress and cancellation of an operation. */
export interface Work {
  readonly progress: Progress;
  readonly signal?: AbortSignal;
}

export interface NodeStatus {
  /** `absent` when nothing of the node exists on the host besides its folder. */
  readonly state: "absent" | "creating" | "created" | "running" | "paused" | "stopped";
  /** Process of the node on the host; 0 when it does not run. */
  readonly pid: number;
}

/** Knowledge of a host about the end of a node, besides the status of its first process. */
export interface DeathEvidence {
  /** The kernel killed the first process for want of memory. */
  readonly outOfMemory: boolean;
  readonly memoryLimitBytes: number;
  /** Last lines of the console. */
  readonly console: string;
}

export interface StartNodesRequest {
  readonly plan: ClusterPlan;
  readonly nodes: readonly NodePlan[];
  /** Digest of the image the cluster was last run with. */
  readonly image: string;
  /** Builds an image; called only when the one above is no longer cached. */
  readonly buildImage: () => Promise<NodeImage>;
  /** Called with the digest of a newly built image as soon as it is mounted. */
  readonly onNewImage: (digest: string) => Promise<void>;
}

export interface StopNodesOptions extends Work {
  /** Time nodes have to shut down before they are killed, in milliseconds. */
  readonly graceMs: number;
  readonly clock: Clock;
}

/**
 * Runs the nodes of local clusters by one technology.
 *
 * The functions at the root of this package (`createCluster`, `startCluster`, …) plan the cluster, hold its lock and write its
 * state; a provisioner makes and removes the parts on the host. It is called with the lock held. All methods but `createNodes`
 * are idempotent: parts that exist stay, parts that do not exist are no error.
 */
export interface Provisioner {
  readonly name: ProvisionerName;
  /** Lists everything the host lacks to create a cluster, or to start one whose files exist; empty when nothing is missing. */
  findMissing(plan: ClusterPlan, purpose: "create" | "start"): Promise<Missing[]>;
  /** Makes everything of a new cluster and starts its nodes; resolves when they run. On failure the caller removes the parts. */
  createNodes(
    plan: ClusterPlan,
    image: NodeImage,
    nodeConfig: (node: NodePlan) => Promise<string | undefined>,
    work: Work,
  ): Promise<void>;
  /**
   * Starts nodes that do not run and repairs what is shared by all (image, network); nodes that run go on. Gives the nodes it
   * started, in the order of the plan.
   */
  startNodes(request: StartNodesRequest, work: Work): Promise<readonly NodePlan[]>;
  /** Shuts nodes down, keeping their volumes, and gives those that ran; with the last node the network and mounts are removed. */
  stopNodes(plan: ClusterPlan, nodes: readonly NodePlan[], options: StopNodesOptions): Promise<readonly NodePlan[]>;
  /** Cuts the power of one node and starts it again, keeping its volumes. */
  restartNode(plan: ClusterPlan, node: NodePlan): Promise<void>;
  nodeStatus(plan: ClusterPlan, node: NodePlan): Promise<NodeStatus>;
  /** Reports whether a node that does not run was shut down or reset, by its own word. */
  wasShutDown(plan: ClusterPlan, node: NodePlan): Promise<boolean>;
  /** Collects why a node ended. To be called before it is started again. */
  deathEvidence(plan: ClusterPlan, node: NodePlan): Promise<DeathEvidence>;
  /** Tells how a node last ended without a shutdown; `undefined` when it never did. */
  lastDeath(plan: ClusterPlan, node: NodePlan): Promise<Death | undefined>;
  /** Keeps how a node ended, for people and for the node, and says it on its console. */
  recordDeath(plan: ClusterPlan, node: NodePlan, death: Death): Promise<void>;
  /** Lists the nodes that were neither created with a configuration nor given one since. */
  unconfiguredNodes(plan: ClusterPlan): Promise<readonly NodePlan[]>;
  /** Removes everything that would not outlive a restart of the host: processes, network, mounts. The folder stays. */
  takeDown(cluster: ClusterIdentity, progress: Progress): Promise<void>;
}
