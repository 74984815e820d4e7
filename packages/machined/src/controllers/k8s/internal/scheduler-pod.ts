import type { SchedulerConfigSpec } from "@talos-ts/machinery/resources/k8s";
import type { JsonObject } from "@talos-ts/machinery/resources/values";
import { type MergePolicy, mergeArguments, renderArguments } from "../../../command-line/arguments.ts";
import { argumentsFromResource } from "../../internal/argument-values.ts";
import { annotations, configsOf, controlPlanePod, secretsOf } from "./control-plane-pod.ts";
import { httpsProbe } from "./probe.ts";

const secrets = secretsOf("scheduler");
const configs = configsOf("scheduler");

const ours = {
  "authentication-kubeconfig": [`${secrets}/kubeconfig`],
  "authentication-tolerate-lookup-failure": ["false"],
  "authorization-kubeconfig": [`${secrets}/kubeconfig`],
  "bind-address": ["127.0.0.1"],
  config: [`${configs}/scheduler-config.yaml`],
  "leader-elect": ["true"],
  profiling: ["false"],
  "tls-min-version": ["VersionTLS13"],
};

const policies: Readonly<Record<string, MergePolicy>> = {
  "authentication-kubeconfig": "denied",
  "authorization-kubeconfig": "denied",
  config: "denied",
  kubeconfig: "denied",
};

const port = 10_259;

/** The pod of the scheduler. */
export function schedulerPod(
  config: SchedulerConfigSpec,
  versions: { readonly secrets: string; readonly config: string },
): JsonObject {
  const args = mergeArguments(ours, argumentsFromResource(config.extraArgs), policies);
  return controlPlanePod({
    component: "scheduler",
    image: config.image,
    command: ["/usr/local/bin/kube-scheduler", ...renderArguments(args)],
    annotations: { [annotations.secretsVersion]: versions.secrets, [annotations.configVersion]: versions.config },
    env: config.environmentVariables,
    volumes: [
      { name: "secrets", hostPath: secrets, readonly: true },
      { name: "config", hostPath: configs, readonly: true },
      ...config.extraVolumes,
    ],
    resources: config.resources,
    defaultRequests: { cpu: "10m", memory: "64Mi" },
    probes: {
      startupProbe: httpsProbe(port, "/livez", { periodSeconds: 1, failureThreshold: 60 }),
      livenessProbe: httpsProbe(port, "/livez"),
      readinessProbe: httpsProbe(port, "/readyz"),
    },
  });
}
