import { createHash } from "node:crypto";

/** The names under which the parts of a cluster are found on the host. */
export interface ClusterIdentity {
  /** Folder that holds everything of the cluster. */
  readonly directory: string;
  /** The bridge all nodes are on. */
  readonly bridge: string;
  /** Prefix of the names of the host's veth ends. */
  readonly linkPrefix: string;
  /** Folder of the container runtime; in memory, as containers do not outlive a restart of the host. */
  readonly runtimeDirectory: string;
  /** The control group all nodes are under. */
  readonly cgroup: string;
}

/**
 * Derives the names from the folder alone: the same name under another home is another cluster, and everything of a
 * cluster is found again even when its state is lost.
 */
export function identifyCluster(directory: string): ClusterIdentity {
  // Names of links have at most 15 characters, of which the number of the node takes three.
  const id = createHash("sha256").update(directory).digest("hex").slice(0, 8);
  return {
    directory,
    bridge: `talos${id}`,
    linkPrefix: `tal${id}`,
    runtimeDirectory: `/run/talos-ts-${id}`,
    cgroup: `/talos-ts-${id}`,
  };
}
