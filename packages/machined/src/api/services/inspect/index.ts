import { edgeKinds, type Runtime } from "@talos-ts/cosi";
import type { ServiceImpl } from "@talos-ts/grpc";
import type { InspectService } from "@talos-ts/proto/inspect/inspect";

/** How the machine works inside: which controller reads and writes which kind of resource. */
export function inspectService(machine: { readonly runtime: Runtime }): ServiceImpl<typeof InspectService> {
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
