import { controlPlaneComponents, controlPlaneUsers, kubernetesPaths } from "@talos-ts/machinery/constants";
import type { APIServerConfigSpec } from "@talos-ts/machinery/resources/k8s";
import type { JsonObject } from "@talos-ts/machinery/resources/values";
import { bytesOfQuantity } from "./quantity.ts";
import { versionOfImage } from "./kubernetes-version.ts";

export type Component = keyof typeof controlPlaneComponents;

export interface HostVolume {
  readonly name: string;
  readonly hostPath: string;
  /** @default the host path */
  readonly mountPath?: string;
  readonly readonly: boolean;
}

export interface ControlPlanePod {
  readonly component: Component;
  readonly image: string;
  readonly command: readonly string[];
  /** Versions of what the pod was made from; another one makes the kubelet restart the pod. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly volumes: readonly HostVolume[];
  readonly resources: APIServerConfigSpec["resources"];
  readonly defaultRequests: { readonly cpu: string; readonly memory: string };
  readonly probes?: JsonObject;
  /** Capabilities kept; all others are dropped. @default {[]} */
  readonly capabilities?: readonly string[];
}

export const annotations = {
  secretsVersion: "talos.dev/secrets-version",
  configVersion: "talos.dev/config-version",
  configFileVersion: "talos.dev/config-file-version",
} as const;

/** Priority of the class `system-cluster-critical`, which a static pod must name itself. */
const criticalPriority = 2_000_000_000;
/** Share of the memory limit at which the Go runtime collects garbage more eagerly. */
const goMemoryLimitPercent = 95;

/** Returns where the secrets of a component are, on the host and in the pod. */
export function secretsOf(component: Component): string {
  return `${kubernetesPaths.podSecrets}/${controlPlaneComponents[component]}`;
}

/** Returns where the configuration files of a component are, on the host and in the pod. */
export function configsOf(component: Component): string {
  return `${kubernetesPaths.podConfigs}/${controlPlaneComponents[component]}`;
}

/** A static pod of the control plane: on the host's network, as its own user, without privileges. */
export function controlPlanePod(pod: ControlPlanePod): JsonObject {
  const name = controlPlaneComponents[pod.component];
  const user = controlPlaneUsers[pod.component];
  const resources = resourcesOf(pod);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "kube-system", annotations: pod.annotations, labels: labelsOf(name, pod.image) },
    spec: {
      priority: criticalPriority,
      priorityClassName: "system-cluster-critical",
      hostNetwork: true,
      securityContext: { runAsNonRoot: true, runAsUser: user, runAsGroup: user },
      containers: [
        {
          name,
          image: pod.image,
          command: pod.command,
          env: environmentOf(pod, resources.limits["memory"]),
          volumeMounts: pod.volumes.map((volume) => ({
            name: volume.name,
            mountPath: volume.mountPath ?? volume.hostPath,
            readOnly: volume.readonly,
          })),
          resources,
          ...pod.probes,
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: {
              drop: ["ALL"],
              ...(pod.capabilities === undefined ? {} : { add: pod.capabilities }),
            },
            seccompProfile: { type: "RuntimeDefault" },
          },
        },
      ],
      volumes: pod.volumes.map((volume) => ({ name: volume.name, hostPath: { path: volume.hostPath } })),
    },
  };
}

function labelsOf(name: string, image: string): JsonObject {
  return {
    tier: "control-plane",
    "k8s-app": name,
    component: name,
    "app.kubernetes.io/name": name,
    "app.kubernetes.io/version": versionOfImage(image),
    "app.kubernetes.io/component": "control-plane",
    "app.kubernetes.io/managed-by": "Talos",
  };
}

function resourcesOf({ resources, defaultRequests }: ControlPlanePod) {
  return {
    requests: {
      cpu: resources.requests["cpu"] || defaultRequests.cpu,
      memory: resources.requests["memory"] || defaultRequests.memory,
    },
    limits: resources.limits,
  };
}

function environmentOf({ env }: ControlPlanePod, memoryLimit: string | undefined): readonly JsonObject[] {
  const given = Object.entries(env)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    // Kubernetes expands references to other variables; what the user wrote is meant as it stands.
    .map(([name, value]) => ({ name, value: value.replaceAll("$", "$$$$") }));
  const limit =
    memoryLimit === undefined
      ? []
      : [{ name: "GOMEMLIMIT", value: String((bytesOfQuantity(memoryLimit) * BigInt(goMemoryLimitPercent)) / 100n) }];
  return [{ name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }, ...given, ...limit];
}
