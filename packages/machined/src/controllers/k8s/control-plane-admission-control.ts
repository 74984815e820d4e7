import type { Controller } from "@talos-ts/cosi";
import { AdmissionControlConfig } from "@talos-ts/machinery/resources/k8s";
import { controlPlaneConfigController } from "./internal/control-plane-config.ts";
import { jsonObject } from "../internal/json-object.ts";

/** Configuration of the admission plugins. */
export function controlPlaneAdmissionControlController(): Controller {
  return controlPlaneConfigController({
    name: "k8s.ControlPlaneAdmissionControlController",
    output: AdmissionControlConfig,
    make: ({ cluster }) =>
      AdmissionControlConfig.spec({
        config: (cluster.apiServer?.admissionControl ?? []).map(({ name = "", configuration }) => ({
          name,
          configuration: jsonObject(configuration),
        })),
      }),
  });
}
