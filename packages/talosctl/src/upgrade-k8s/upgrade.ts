import type { Clock } from "@talos-ts/base";
import type { KubernetesAccess, KubernetesClient } from "@talos-ts/kubernetes";
import type { ApiConnection } from "@talos-ts/machinery/client";
import type { Config } from "@talos-ts/machinery/config";
import type { ClusterNodes } from "@talos-ts/machinery/health";
import type { UpgradePath } from "./upgrade-path.ts";

/** Images that follow the version of Kubernetes. */
export const upgradedImages = ["apiServer", "controllerManager", "scheduler", "proxy", "kubelet"] as const;
export type UpgradedImage = (typeof upgradedImages)[number];

/** An upgrade of Kubernetes: from where to where, on what, and how it is told. */
export interface Upgrade {
  readonly connection: ApiConnection;
  readonly nodes: ClusterNodes;
  readonly path: UpgradePath;
  /** Repositories of the images, without tag. */
  readonly repositories: Readonly<Record<UpgradedImage, string>>;
  /** True when nothing is changed, and the plan is told instead. */
  readonly dryRun: boolean;
  readonly encode: (config: Config) => string;
  readonly kubernetes: KubernetesClient;
  readonly access: KubernetesAccess;
  /** Waits until the cluster is healthy, between two steps. */
  readonly healthy: () => Promise<void>;
  readonly log: (line: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Returns the reference of an image in the version to upgrade to. */
export function imageOf({ repositories, path }: Pick<Upgrade, "repositories" | "path">, name: UpgradedImage): string {
  return `${repositories[name]}:v${path.to}`;
}
