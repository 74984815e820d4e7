import { edgeKinds, type Runtime } from "@talos-ts/cosi";
import type { ServiceImpl } from "@talos-ts/grpc";
import type { InspectService } from "@talos-ts/proto/inspect/inspect";

/** Lists which controller reads and writes which kind of resource. */
export function controllerRuntimeDependencies({
  runtime,
}: {
  readonly runtime: Runtime;
}): NonNullable<ServiceImpl<typeof InspectService>["controllerRuntimeDependencies"]> {
  return () => ({
    messages: [
      {
        edges: runtime.dependencies().map((edge) => ({
          controllerName: edge.controllerName,
          edgeType: edgeKinds[edge.edgeKind].inspectType,
          resourceNamespace: edge.resourceNamespace,
          resourceType: edge.resourceType,
          resourceId: edge.resourceId,
        })),
      },
    ],
  });
}
