import type { Controller } from "@talos-ts/cosi";
import type { Machine } from "../../machine.ts";
import { apiCertSANsController } from "./api-cert-sans.ts";
import { apiController } from "./api.ts";
import { etcdController } from "./etcd.ts";
import { kubeletController } from "./kubelet.ts";
import { kubernetesCertSANsController } from "./kubernetes-cert-sans.ts";
import { kubernetesDynamicCertsController } from "./kubernetes-dynamic-certs.ts";
import { kubernetesController } from "./kubernetes.ts";
import { maintenanceCertSANsController } from "./maintenance-cert-sans.ts";
import { maintenanceRootController } from "./maintenance-root.ts";
import { rootEtcdController } from "./root-etcd.ts";
import { rootKubernetesController } from "./root-kubernetes.ts";
import { rootOSController } from "./root-os.ts";
import { trustdController } from "./trustd.ts";
import { trustedRootsController } from "./trusted-roots.ts";

/** Controllers that own secrets: from the configuration to certificates. */
export function secretsControllers(machine: Machine): readonly Controller[] {
  return [
    apiCertSANsController(),
    apiController(machine),
    etcdController(machine),
    kubeletController(),
    kubernetesCertSANsController(),
    kubernetesController(machine),
    kubernetesDynamicCertsController(machine),
    maintenanceCertSANsController(),
    maintenanceRootController(machine),
    rootEtcdController(),
    rootKubernetesController(),
    rootOSController(),
    trustdController(machine),
    trustedRootsController(machine),
  ];
}
