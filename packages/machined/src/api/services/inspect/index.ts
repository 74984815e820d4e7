import type { ServiceImpl } from "@talos-ts/grpc";
import type { InspectService } from "@talos-ts/proto/inspect/inspect";
import type { ApiDependencies } from "../../api-dependencies.ts";
import { controllerRuntimeDependencies } from "./controller-runtime-dependencies.ts";

export function inspectService(dependencies: Pick<ApiDependencies, "runtime">): ServiceImpl<typeof InspectService> {
  return { controllerRuntimeDependencies: controllerRuntimeDependencies(dependencies) };
}
