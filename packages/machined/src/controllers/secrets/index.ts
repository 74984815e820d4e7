import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { apiCertSANsController } from "./api-cert-sans.ts";
import { apiCertificatesController } from "./api-certificates.ts";
import { certificateStatusController } from "./certificate-status.ts";
import { etcdCertificatesController } from "./etcd-certificates.ts";
import { kubeletSecretController } from "./kubelet-secret.ts";
import { kubernetesCertSANsController } from "./kubernetes-cert-sans.ts";
import { kubernetesDynamicCertificatesController } from "./kubernetes-dynamic-certificates.ts";
import { kubernetesKubeconfigsController } from "./kubernetes-kubeconfigs.ts";
import { maintenanceCertSANsController } from "./maintenance-cert-sans.ts";
import { maintenanceRootController } from "./maintenance-root.ts";
import { rootEtcdController } from "./root-etcd.ts";
import { rootKubernetesController } from "./root-kubernetes.ts";
import { rootOSController } from "./root-os.ts";
import { trustdCertificateController } from "./trustd-certificate.ts";
import { trustedRootsController } from "./trusted-roots.ts";

/** Controllers of secrets: from the configuration to certificates. */
export const secretsControllers: readonly ControllerRow[] = [
  pure(apiCertSANsController),
  effect(apiCertificatesController),
  effect(certificateStatusController),
  effect(etcdCertificatesController),
  pure(kubeletSecretController),
  pure(kubernetesCertSANsController),
  effect(kubernetesDynamicCertificatesController),
  effect(kubernetesKubeconfigsController),
  pure(maintenanceCertSANsController),
  effect(maintenanceRootController),
  pure(rootEtcdController),
  pure(rootKubernetesController),
  pure(rootOSController),
  effect(trustdCertificateController),
  pure(trustedRootsController),
];
