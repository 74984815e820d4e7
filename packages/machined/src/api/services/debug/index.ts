import type { ServiceImpl } from "@talos-ts/grpc";
import type { DebugService } from "@talos-ts/proto/machine/debug";
import type { ApiDependencies } from "../../api-dependencies.ts";
import { containerRun } from "./container-run.ts";

/** Containers for debugging. */
export function debugService(machine: ApiDependencies): ServiceImpl<typeof DebugService> {
  return { containerRun: containerRun(machine) };
}
