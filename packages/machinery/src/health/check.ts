import type { State } from "@talos-ts/cosi";
import type { Client } from "@talos-ts/grpc";
import type { KubernetesClient } from "@talos-ts/kubernetes";
import type { MachineService } from "@talos-ts/proto/machine/machine";

/** The cluster that is checked: its nodes by address, and ways to ask them and Kubernetes. */
export interface HealthSubject {
  readonly controlPlanes: readonly string[];
  readonly workers: readonly string[];
  machine(node: string): Client<typeof MachineService>;
  resources(node: string): State;
  kubernetes(): Promise<KubernetesClient>;
}

/** All nodes of the cluster, control planes first. */
export function allNodes({ controlPlanes, workers }: HealthSubject): readonly string[] {
  return [...controlPlanes, ...workers];
}

/** One check of a cluster: its name, and what must hold. */
export interface HealthCheck {
  /** Condition in words, as in `waiting for <name>`. */
  readonly name: string;
  /**
   * Resolves when the condition holds, to `skipped` when it does not apply to this cluster.
   *
   * @throws what is missing, with the command to look closer
   */
  check(subject: HealthSubject, signal: AbortSignal): Promise<void | "skipped">;
}
