import type { Controller } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { apiCertSANsController } from "./api-cert-sans.ts";
import { apiController } from "./api.ts";
import { maintenanceCertSANsController } from "./maintenance-cert-sans.ts";
import { maintenanceRootController } from "./maintenance-root.ts";
import { rootOSController } from "./root-os.ts";
import { trustdController } from "./trustd.ts";

/** Controllers that own secrets: from the configuration to certificates. */
export function secretsControllers(machine: Machine): readonly Controller[] {
  return [
    apiCertSANsController(),
    apiController(machine),
    maintenanceCertSANsController(),
    maintenanceRootController(machine),
    rootOSController(),
    trustdController(machine),
  ];
}
