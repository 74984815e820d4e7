import type { Controller } from "@talos-ts/cosi";
import { defaultAuditPolicy } from "@talos-ts/machinery/config";
import { AuditPolicyConfig } from "@talos-ts/machinery/resources/k8s";
import { controlPlaneConfigController } from "./internal/control-plane-config.ts";
import { jsonObject } from "../internal/json-object.ts";

/** Audit policy of the API server. */
export function controlPlaneAuditPolicyController(): Controller {
  return controlPlaneConfigController({
    name: "k8s.ControlPlaneAuditPolicyController",
    output: AuditPolicyConfig,
    make({ cluster }) {
      const given = jsonObject(cluster.apiServer?.auditPolicy);
      return AuditPolicyConfig.spec({ config: Object.keys(given).length > 0 ? given : jsonObject(defaultAuditPolicy) });
    },
  });
}
