import type { ClusterSection } from "@talos-ts/machinery/config";
import type { APIServerConfigSpec } from "@talos-ts/machinery/resources/k8s";

type PodConfig = NonNullable<ClusterSection["controllerManager"]>;

/** Name of the external cloud provider, or nothing. */
export function cloudProvider({ externalCloudProvider }: ClusterSection): string {
  return externalCloudProvider?.enabled === true ? "external" : "";
}

/** Volumes are named for where they are mounted. */
export function extraVolumes(given: PodConfig["extraVolumes"]): APIServerConfigSpec["extraVolumes"] {
  return (given ?? []).map(({ hostPath = "", mountPath = "", readonly = false }) => ({
    name: mountPath.replaceAll(/[/_.]/g, "-").replaceAll(/^-+|-+$/g, ""),
    hostPath,
    mountPath,
    readonly,
  }));
}

/** CPU and memory, requested and at most; an empty request means the default of the pod. */
export function podResources(given: PodConfig["resources"]): APIServerConfigSpec["resources"] {
  const amount = (of: unknown, name: string): string => {
    const value = (of as Readonly<Record<string, unknown>> | undefined)?.[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const limits = ["cpu", "memory"].map((name) => [name, amount(given?.limits, name)] as const);
  return {
    requests: { cpu: amount(given?.requests, "cpu"), memory: amount(given?.requests, "memory") },
    limits: Object.fromEntries(limits.filter(([, value]) => value !== "")),
  };
}
