import type { ServiceImpl } from "@talos-ts/grpc";
import type { ClusterService } from "@talos-ts/proto/cluster/cluster";
import type { ApiDependencies } from "../../api-dependencies.ts";
import { healthCheck } from "./health-check.ts";

/** Looks at the cluster as a whole. */
export function clusterService(
  machine: Pick<ApiDependencies, "clock" | "config" | "state">,
): ServiceImpl<typeof ClusterService> {
  return { healthCheck: healthCheck(machine) };
}
