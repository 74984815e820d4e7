import { exclusive, reconcileController, weak, type Controller } from "@talos-ts/cosi";
import {
  AdmissionControlConfig,
  AuditPolicyConfig,
  AuthorizationConfig,
  ConfigStatus,
  SchedulerConfig,
} from "@talos-ts/machinery/resources/k8s";
import { writeOwnedFiles, type FileTarget } from "./internal/owned-files.ts";
import { podConfigs } from "./internal/pod-configs.ts";

/**
 * Writes the configuration files of the control plane pods. The version that it publishes is that of the API server's files, since it
 * is an annotation of that pod alone: the pod of the scheduler has the version of its own configuration. Counted together, every change
 * of the scheduler would restart the API server.
 */
export function renderConfigsStaticPodController(target: FileTarget): Controller {
  return reconcileController({
    name: "k8s.RenderConfigsStaticPodController",
    inputs: [
      weak(AdmissionControlConfig, { id: AdmissionControlConfig.id }),
      weak(AuditPolicyConfig, { id: AuditPolicyConfig.id }),
      weak(AuthorizationConfig, { id: AuthorizationConfig.id }),
      weak(SchedulerConfig, { id: SchedulerConfig.id }),
    ],
    outputs: [exclusive(ConfigStatus)],
    async reconcile(context) {
      const admission = await context.find(AdmissionControlConfig, AdmissionControlConfig.id);
      const audit = await context.find(AuditPolicyConfig, AuditPolicyConfig.id);
      const authorization = await context.find(AuthorizationConfig, AuthorizationConfig.id);
      const scheduler = await context.find(SchedulerConfig, SchedulerConfig.id);
      if (admission === undefined || audit === undefined) return;
      if (authorization === undefined || scheduler === undefined) return;
      const folders = podConfigs({
        admission: admission.spec,
        audit: audit.spec,
        authorization: authorization.spec,
        scheduler: scheduler.spec,
      });
      for (const folder of folders) await writeOwnedFiles(target, folder);
      const version = [admission, audit, authorization].map(({ metadata }) => metadata.version).join("");
      await context.modify(ConfigStatus, ConfigStatus.id, () => ConfigStatus.spec({ ready: true, version }));
    },
  });
}
