import type { HealthCheck } from "../check.ts";
import { etcdConsistent, etcdOnControlPlanes } from "./etcd-members.ts";
import { nodesReady, nodesReport, nodesSchedulable } from "./kubernetes-nodes.ts";
import { componentsReady, coreDnsReady, kubeProxyReady, staticPodsRunning } from "./kubernetes-pods.ts";
import { bootFinished, diskSizes, memorySizes, noDiagnostics } from "./machines.ts";
import { apidReady, etcdHealthy, kubeletHealthy } from "./services.ts";

/** Checks of a whole cluster, in the order in which a cluster comes up. */
export const clusterChecks: readonly HealthCheck[] = [
  etcdHealthy,
  etcdConsistent,
  etcdOnControlPlanes,
  apidReady,
  memorySizes,
  diskSizes,
  noDiagnostics,
  kubeletHealthy,
  bootFinished,
  nodesReport,
  staticPodsRunning,
  componentsReady,
  nodesReady,
  kubeProxyReady,
  coreDnsReady,
  nodesSchedulable,
];

/** Checks of machines that no rolling work changes, or that a person may leave as they are. */
const atRest: ReadonlySet<HealthCheck> = new Set([memorySizes, diskSizes, noDiagnostics, nodesSchedulable]);

/** Checks between two steps of rolling work. */
export const rollingChecks: readonly HealthCheck[] = clusterChecks.filter((check) => !atRest.has(check));
