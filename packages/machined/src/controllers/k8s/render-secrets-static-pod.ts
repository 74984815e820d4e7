import { exclusive, reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { SecretStatus } from "@talos-ts/machinery/resources/k8s";
import {
  EtcdRootSecret,
  EtcdSecret,
  KubernetesDynamicCert,
  KubernetesRootSecret,
  KubernetesSecret,
} from "@talos-ts/machinery/resources/secrets";
import { writeOwnedFiles, type FileTarget } from "./internal/owned-files.ts";
import { podSecrets } from "./internal/pod-secrets.ts";

/**
 * Writes the secrets of the control plane pods. The API server reads renewed certificates by itself; only the kubeconfigs of the
 * others are part of the version, on which pods restart.
 */
export function renderSecretsStaticPodController(target: FileTarget): Controller {
  return reconcileController({
    name: "k8s.RenderSecretsStaticPodController",
    inputs: [
      weak(KubernetesRootSecret, { id: KubernetesRootSecret.id }),
      weak(EtcdRootSecret, { id: EtcdRootSecret.id }),
      weak(KubernetesSecret, { id: KubernetesSecret.id }),
      weak(KubernetesDynamicCert, { id: KubernetesDynamicCert.id }),
      weak(EtcdSecret, { id: EtcdSecret.id }),
    ],
    outputs: [exclusive(SecretStatus)],
    async reconcile(context) {
      const kubeconfigs = await context.find(KubernetesSecret, KubernetesSecret.id);
      const certificates = await context.find(KubernetesDynamicCert, KubernetesDynamicCert.id);
      const etcd = await context.find(EtcdSecret, EtcdSecret.id);
      const etcdRoot = await context.find(EtcdRootSecret, EtcdRootSecret.id);
      const root = await context.find(KubernetesRootSecret, KubernetesRootSecret.id);
      if (kubeconfigs === undefined || certificates === undefined || root === undefined) return;
      if (etcd === undefined || etcdRoot === undefined) return;
      const folders = podSecrets({
        root: root.spec,
        etcdRoot: etcdRoot.spec,
        etcd: etcd.spec,
        kubeconfigs: kubeconfigs.spec,
        certificates: certificates.spec,
      });
      for (const folder of folders) await writeOwnedFiles(target, folder);
      const version = String(kubeconfigs.metadata.version);
      await context.modify(SecretStatus, SecretStatus.id, () => SecretStatus.spec({ ready: true, version }));
    },
  });
}
