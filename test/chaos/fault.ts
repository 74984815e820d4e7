import type { NodePlan } from "@talos-ts/provision";
import type { ChaosCluster } from "./chaos-cluster.ts";

/** Cluster and node that a fault works with. */
export interface FaultContext {
  readonly cluster: ChaosCluster;
  /** The control plane that it hits. */
  readonly node: NodePlan;
  /** The other control planes. */
  readonly others: readonly NodePlan[];
  /** Number that the seed decides, for a fault that has a choice. */
  readonly draw: number;
  /** Takes what makes the fault undone, before it is done: it runs when its time is over, and when the run is interrupted. */
  readonly undo: AsyncDisposableStack;
}

/** Something that happens to machines. */
export interface Fault {
  /** As in `--only`. */
  readonly name: string;
  /** Summary of its effect, in a line. */
  readonly summary: string;
  /** Nodes it hits: the leader of etcd, or any control plane. */
  readonly target: "leader" | "any";
  /** Time it lasts, in ms; 0 when it is over as soon as it is done. */
  readonly lastsMs: number;
  /** Names what it does for a number that the seed decides. @default it has no choice */
  readonly variant?: (draw: number) => string;
  /** Why this host cannot do it; `undefined` when it can. @default it can */
  readonly unavailable?: (cluster: ChaosCluster) => Promise<string | undefined>;
  /** Prepares what must be there before; the cluster is healthy again before the fault begins. @default nothing */
  readonly prepare?: (context: Omit<FaultContext, "undo">) => Promise<void>;
  /** Does it. What is thrown fails the run. */
  readonly inject: (context: FaultContext) => Promise<void>;
}
