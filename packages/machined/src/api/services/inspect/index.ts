import { edgeKinds } from "@talos-ts/cosi";
import type { ServiceImpl } from "@talos-ts/grpc";
import type { InspectService } from "@talos-ts/proto/inspect/inspect";
import type { Machine } from "../../../machine.ts";

/** How the machine works inside: which controller reads and writes which kind of resource. */
export function inspectService(machine: Machine): ServiceImpl<typeof InspectService> {
  return {
    controllerRuntimeDependencies: () => ({
      messages: [
        {
          edges: machine.runtime.dependencies().map((edge) => ({
            controllerName: edge.controllerName,
            edgeType: edgeKinds[edge.edgeKind].inspectType,
            resourceNamespace: edge.resourceNamespace,
            resourceType: edge.resourceType,
            resourceId: edge.resourceId,
          })),
        },
      ],
    }),
  };
}
