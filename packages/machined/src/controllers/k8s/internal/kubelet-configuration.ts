import { OsError } from "@talos-ts/base";
import { protectedKubeletFields } from "@talos-ts/machinery/config";
import { controlPlaneRoleLabel, kubeletPort, kubernetesPaths, paths } from "@talos-ts/machinery/constants";
import type { KubeletConfigSpec } from "@talos-ts/machinery/resources/k8s";
import type { JsonObject, JsonValue } from "@talos-ts/machinery/resources/values";
import { jsonObject } from "../../internal/json-object.ts";

/** Describes what the configuration of a kubelet depends on besides its settings. */
export interface KubeletMachine {
  readonly controlPlane: boolean;
  /** True when the machine is a container: the kernel is not its own, and no init system announces shutdowns. */
  readonly inContainer: boolean;
  readonly cgroupVersion: 1 | 2;
}

/** Lower is killed later; the kubelet sets its own score from this. */
const kubeletOomScoreAdjustment = -996;

const quotaFeature = "LocalStorageCapacityIsolationFSQuotaMonitoring";

/**
 * The KubeletConfiguration object: our defaults, the fields of the user, then the fields nobody may change.
 *
 * @throws OsError `k8s/protected-field`
 */
export function kubeletConfiguration(config: KubeletConfigSpec, machine: KubeletMachine): JsonObject {
  const extra = config.extraConfig;
  refuseProtected(extra);
  return {
    ...overridable(config, machine),
    ...extra,
    ...fixed(config, machine),
    ...(config.enableFSQuotaMonitoring
      ? { featureGates: { [quotaFeature]: true, ...jsonObject(extra["featureGates"]) } }
      : {}),
    ...registerWithTaints(config, machine),
  };
}

function refuseProtected(extra: JsonObject): void {
  const problems = protectedKubeletFields
    .filter((field) => Object.hasOwn(extra, field))
    .map((field) => `field ${JSON.stringify(field)} can't be overridden`);
  if (problems.length === 0) return;
  throw new OsError({
    kind: "invalid-argument",
    code: "k8s/protected-field",
    message: `error creating kubelet configuration: ${problems.join("; ")}`,
    next: "talosctl edit machineconfig",
  });
}

/** Defaults that fields of `machine.kubelet.extraConfig` replace. */
function overridable(config: KubeletConfigSpec, machine: KubeletMachine): JsonObject {
  const shutdown = machine.inContainer
    ? // Without an init system on D-Bus there is nobody to ask for a delay; the machine itself stops its pods.
      { shutdownGracePeriod: "0s", shutdownGracePeriodCriticalPods: "0s" }
    : { shutdownGracePeriod: "30s", shutdownGracePeriodCriticalPods: "10s" };
  return {
    address: "0.0.0.0",
    oomScoreAdj: kubeletOomScoreAdjustment,
    clusterDomain: config.clusterDomain,
    clusterDNS: config.clusterDNS,
    serializeImagePulls: false,
    failSwapOn: false,
    systemReserved: {
      cpu: "50m",
      pid: "100",
      "ephemeral-storage": "256Mi",
      memory: machine.controlPlane ? "512Mi" : "384Mi",
    },
    logging: { format: "json" },
    ...shutdown,
    streamingConnectionIdleTimeout: "5m0s",
    tlsMinVersion: "VersionTLS13",
    cgroupDriver: "cgroupfs",
    // The static pods of the control plane come over HTTP from this machine: asking often costs little and saves 20 s.
    httpCheckFrequency: "1s",
    ...(machine.cgroupVersion === 1 ? { failCgroupV1: false } : {}),
  };
}

function fixed(config: KubeletConfigSpec, machine: KubeletMachine): JsonObject {
  const registers = !config.skipNodeRegistration;
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    ...(config.disableManifestsDirectory ? {} : { staticPodPath: kubernetesPaths.staticPodManifests }),
    staticPodURL: config.staticPodListURL,
    port: kubeletPort,
    authentication: {
      x509: { clientCAFile: kubernetesPaths.caCertificate },
      webhook: { enabled: registers },
      anonymous: { enabled: false },
    },
    authorization: { mode: registers ? "Webhook" : "AlwaysAllow" },
    cgroupRoot: "/",
    systemCgroups: "/system",
    kubeletCgroups: "/podruntime/kubelet",
    rotateCertificates: true,
    protectKernelDefaults: !machine.inContainer,
    containerRuntimeEndpoint: `unix://${paths.criContainerdSocket}`,
    resolvConf: paths.podResolvConf,
    ...(config.defaultRuntimeSeccompEnabled ? { seccompDefault: true } : {}),
  };
}

/** Keeps workloads off a control plane node from its first moment, before anybody can taint it. */
function registerWithTaints(config: KubeletConfigSpec, machine: KubeletMachine): JsonObject {
  if (config.skipNodeRegistration || !machine.controlPlane || config.allowSchedulingOnControlPlane) return {};
  // The argument is deprecated but wins over the field, and the kubelet refuses both.
  if ("register-with-taints" in config.extraArgs) return {};
  const given = config.extraConfig["registerWithTaints"];
  const taints: readonly JsonValue[] = Array.isArray(given) ? (given as readonly JsonValue[]) : [];
  if (taints.some((taint) => jsonObject(taint)["key"] === controlPlaneRoleLabel)) return {};
  return { registerWithTaints: [...taints, { key: controlPlaneRoleLabel, effect: "NoSchedule" }] };
}
