import { controlPlaneUsers } from "@talos-ts/machinery/constants";
import type {
  AdmissionControlConfigSpec,
  AuditPolicyConfigSpec,
  AuthorizationConfigSpec,
  SchedulerConfigSpec,
} from "@talos-ts/machinery/resources/k8s";
import type { JsonObject } from "@talos-ts/machinery/resources/values";
import { stringify } from "yaml";
import { configsOf, secretsOf } from "./control-plane-pod.ts";
import { jsonObject } from "../../internal/json-object.ts";
import { compareVersions, versionOfImage } from "./kubernetes-version.ts";
import type { OwnedFolder } from "./owned-files.ts";

export interface PodConfigsInput {
  readonly admission: AdmissionControlConfigSpec;
  readonly audit: AuditPolicyConfigSpec;
  readonly authorization: AuthorizationConfigSpec;
  readonly scheduler: SchedulerConfigSpec;
}

/** Every configuration file of the control plane pods. */
export function podConfigs({ admission, audit, authorization, scheduler }: PodConfigsInput): readonly OwnedFolder[] {
  return [
    {
      path: configsOf("apiServer"),
      owner: controlPlaneUsers.apiServer,
      files: {
        "admission-control-config.yaml": stringify(admissionConfiguration(admission)),
        "auditpolicy.yaml": stringify(audit.config),
        "authorization-config.yaml": stringify(authorizationConfiguration(authorization)),
      },
    },
    {
      path: configsOf("scheduler"),
      owner: controlPlaneUsers.scheduler,
      files: { "scheduler-config.yaml": stringify(schedulerConfiguration(scheduler)) },
    },
  ];
}

function admissionConfiguration({ config }: AdmissionControlConfigSpec): JsonObject {
  return {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AdmissionConfiguration",
    plugins: config.map(({ name, configuration }) => ({ name, configuration })),
  };
}

function authorizationConfiguration({ image, config }: AuthorizationConfigSpec): JsonObject {
  // The kind became stable in Kubernetes 1.32.
  const version = compareVersions(versionOfImage(image), "1.32.0") >= 0 ? "v1" : "v1beta1";
  return {
    apiVersion: `apiserver.config.k8s.io/${version}`,
    kind: "AuthorizationConfiguration",
    authorizers: config.map(({ type, name, webhook }) => ({
      type,
      name,
      ...(Object.keys(webhook).length === 0 ? {} : { webhook }),
    })),
  };
}

/** Returns what the user wrote, with the access that the scheduler cannot do without. */
function schedulerConfiguration({ config }: SchedulerConfigSpec): JsonObject {
  const connection = { ...jsonObject(config["clientConnection"]), kubeconfig: `${secretsOf("scheduler")}/kubeconfig` };
  return {
    ...config,
    apiVersion: "kubescheduler.config.k8s.io/v1",
    kind: "KubeSchedulerConfiguration",
    clientConnection: connection,
  };
}
