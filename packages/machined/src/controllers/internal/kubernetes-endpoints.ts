import type { ClusterSection, MachineSection } from "@talos-ts/machinery/config";
import { defaultControlPlanePort, kubePrismPort } from "@talos-ts/machinery/constants";

/** The balancer on the machine itself, if it is on. */
export function kubePrismEndpoint(machine: MachineSection): string | undefined {
  const { enabled, port } = machine.features?.kubePrism ?? {};
  return enabled === true ? `https://127.0.0.1:${String(port ?? kubePrismPort)}` : undefined;
}

/** The API server on the machine itself. */
export function localApiServerEndpoint(cluster: ClusterSection): string {
  return `https://localhost:${String(cluster.controlPlane?.localAPIServerPort ?? defaultControlPlanePort)}`;
}

/** `abcdef.0123456789abcdef` as its two parts. */
export function bootstrapToken(cluster: ClusterSection): {
  readonly bootstrapTokenID: string;
  readonly bootstrapTokenSecret: string;
} {
  const [bootstrapTokenID = "", bootstrapTokenSecret = ""] = (cluster.token ?? "").split(".", 2);
  return { bootstrapTokenID, bootstrapTokenSecret };
}
