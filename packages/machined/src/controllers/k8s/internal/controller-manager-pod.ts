import type { ControllerManagerConfigSpec } from "@talos-ts/machinery/resources/k8s";
import type { JsonObject } from "@talos-ts/machinery/resources/values";
import { type Arguments, type MergePolicy, mergeArguments, renderArguments } from "../../../command-line/arguments.ts";
import { argumentsFromResource } from "../../internal/argument-values.ts";
import { annotations, controlPlanePod, secretsOf } from "./control-plane-pod.ts";
import { compareVersions, versionOfImage } from "./kubernetes-version.ts";
import { httpsProbe } from "./probe.ts";

const secrets = secretsOf("controllerManager");

const policies: Readonly<Record<string, MergePolicy>> = {
  "authentication-kubeconfig": "denied",
  "authorization-kubeconfig": "denied",
  "cluster-signing-cert-file": "denied",
  "cluster-signing-key-file": "denied",
  controllers: "additive",
  "root-ca-file": "denied",
  "service-account-private-key-file": "denied",
  "service-cluster-ip-range": "additive",
};

const port = 10_257;

/** The pod of the controller manager. */
export function controllerManagerPod(
  config: ControllerManagerConfigSpec,
  versions: { readonly secrets: string; readonly config: string },
): JsonObject {
  const args = mergeArguments(controllerManagerArgs(config), argumentsFromResource(config.extraArgs), policies);
  return controlPlanePod({
    component: "controllerManager",
    image: config.image,
    command: ["/usr/local/bin/kube-controller-manager", "--use-service-account-credentials", ...renderArguments(args)],
    annotations: { [annotations.secretsVersion]: versions.secrets, [annotations.configVersion]: versions.config },
    env: config.environmentVariables,
    volumes: [{ name: "secrets", hostPath: secrets, readonly: true }, ...config.extraVolumes],
    resources: config.resources,
    defaultRequests: { cpu: "50m", memory: "256Mi" },
    probes: {
      startupProbe: httpsProbe(port, "/healthz", { periodSeconds: 1, failureThreshold: 60 }),
      livenessProbe: httpsProbe(port, "/healthz", { timeoutSeconds: 15 }),
    },
  });
}

function controllerManagerArgs(config: ControllerManagerConfigSpec): Arguments {
  const old = compareVersions(versionOfImage(config.image), "1.33.0") < 0;
  return {
    ...(config.cloudProvider !== "" && old ? { "cloud-provider": [config.cloudProvider] } : {}),
    "allocate-node-cidrs": ["true"],
    "authentication-kubeconfig": [`${secrets}/kubeconfig`],
    "authorization-kubeconfig": [`${secrets}/kubeconfig`],
    "bind-address": ["127.0.0.1"],
    "cluster-cidr": [config.podCIDRs.join(",")],
    "cluster-signing-cert-file": [`${secrets}/ca.crt`],
    "cluster-signing-key-file": [`${secrets}/ca.key`],
    "configure-cloud-routes": ["false"],
    controllers: ["*,tokencleaner"],
    kubeconfig: [`${secrets}/kubeconfig`],
    "leader-elect": ["true"],
    profiling: ["false"],
    "root-ca-file": [`${secrets}/ca.crt`],
    "service-account-private-key-file": [`${secrets}/service-account.key`],
    "service-cluster-ip-range": [config.serviceCIDRs.join(",")],
    "tls-min-version": ["VersionTLS13"],
  };
}
