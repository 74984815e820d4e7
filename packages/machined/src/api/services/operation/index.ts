import type { ServiceImpl } from "@talos-ts/grpc";
import type { OperationService } from "@talos-ts/proto/operation/operation";
import type { ApiDependencies } from "../../api-dependencies.ts";
import { report } from "./report.ts";

export function operationService(
  dependencies: Pick<ApiDependencies, "state" | "clock">,
): ServiceImpl<typeof OperationService> {
  return { report: report(dependencies) };
}
