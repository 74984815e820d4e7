import { exclusive, kindOf, reconcileController, strong, weak, type Controller } from "@talos-ts/cosi";
import { apidPort } from "@talos-ts/machinery/constants";
import {
  APIServiceConfig,
  MaintenanceServiceConfig,
  MaintenanceServiceRequest,
} from "@talos-ts/machinery/resources/runtime";
import { ApiCertificate } from "@talos-ts/machinery/resources/secrets";

const name = "runtime.APIServiceConfigController";

/** Reports whether apid serves a cluster, or a machine that waits for its configuration; neither while it is unclear. */
export function apiServiceConfigController(): Controller {
  return reconcileController({
    name,
    inputs: [
      strong(MaintenanceServiceRequest),
      weak(MaintenanceServiceConfig, { id: MaintenanceServiceConfig.id }),
      weak(ApiCertificate, { id: ApiCertificate.id }),
    ],
    outputs: [exclusive(APIServiceConfig)],
    cleanup: [kindOf(APIServiceConfig)],
    async reconcile(context) {
      const request = await context.find(MaintenanceServiceRequest, MaintenanceServiceRequest.id);
      const held = request?.metadata.finalizers.includes(name) === true;
      const wanted = request?.metadata.phase === "running";
      if (request !== undefined && wanted && !held) await context.addFinalizer(request.metadata, name);
      if (request !== undefined && !wanted && held) await context.removeFinalizer(request.metadata, name);

      if (wanted) {
        const config = await context.find(MaintenanceServiceConfig, MaintenanceServiceConfig.id);
        if (config === undefined) return;
        const spec = APIServiceConfig.spec({
          listenAddress: config.spec.listenAddress,
          nodeRoutingDisabled: true,
          readonlyRoleMode: true,
          skipVerifyingClientCert: true,
        });
        await context.put(APIServiceConfig, APIServiceConfig.id, () => spec);
        return;
      }
      const certificate = await context.find(ApiCertificate, ApiCertificate.id);
      if (certificate?.spec.skipVerifyingClientCert !== false) return;
      const spec = APIServiceConfig.spec({ listenAddress: `:${String(apidPort)}` });
      await context.put(APIServiceConfig, APIServiceConfig.id, () => spec);
    },
  });
}
