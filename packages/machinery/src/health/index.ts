export { allNodes, type HealthCheck, type HealthSubject } from "./check.ts";
export { clusterChecks, rollingChecks } from "./checks/index.ts";
export { quoted } from "./failure.ts";
export { runChecks, type RunChecksOptions } from "./run-checks.ts";
export {
  createHealthSubject,
  membersOf,
  nodesFromMembers,
  type ClusterNodes,
  type HealthSubjectOptions,
} from "./subject.ts";
