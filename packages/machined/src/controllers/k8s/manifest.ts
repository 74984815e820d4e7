import { OsError } from "@talos-ts/base";
import { createResource, reduceController, shared, weak, type Controller } from "@talos-ts/cosi";
import {
  BootstrapManifestsConfig,
  Manifest,
  type BootstrapManifestsConfigSpec,
  type ManifestSpec,
} from "@talos-ts/machinery/resources/k8s";
import { KubernetesRootSecret, type KubernetesRootSecretSpec } from "@talos-ts/machinery/resources/secrets";
import { coreDns, coreDnsService } from "./internal/manifests/core-dns.ts";
import { flannel } from "./internal/manifests/flannel.ts";
import { kubeProxy } from "./internal/manifests/kube-proxy.ts";
import { kubeconfigInCluster } from "./internal/manifests/kubeconfig-in-cluster.ts";
import {
  csrApprover,
  csrNodeBootstrap,
  csrRenewal,
  kubeletBootstrapToken,
  nodeAccess,
} from "./internal/manifests/node-registration.ts";
import { serviceAccountCrd } from "./internal/manifests/service-account-crd.ts";

interface Row {
  /** Also the order in which manifests are applied. */
  readonly id: string;
  /** Default: always. */
  readonly when?: (config: BootstrapManifestsConfigSpec) => boolean;
  readonly objects: (config: BootstrapManifestsConfigSpec, root: KubernetesRootSecretSpec) => readonly object[];
}

/** The built-in manifests. */
const rows: readonly Row[] = [
  { id: "00-kubelet-bootstrapping-token", objects: (_config, root) => [kubeletBootstrapToken(root)] },
  { id: "01-csr-approver-role-binding", objects: () => [csrApprover] },
  { id: "01-csr-node-bootstrap", objects: () => [csrNodeBootstrap] },
  { id: "01-csr-renewal-role-binding", objects: () => [csrRenewal] },
  { id: "05-flannel", when: ({ flannelEnabled }) => flannelEnabled, objects: flannel },
  { id: "10-kube-proxy", when: ({ proxyEnabled }) => proxyEnabled, objects: kubeProxy },
  { id: "11-core-dns", when: ({ coreDNSEnabled }) => coreDNSEnabled, objects: coreDns },
  {
    id: "11-core-dns-svc",
    when: ({ coreDNSEnabled }) => coreDNSEnabled,
    objects: (config) => [coreDnsService(config)],
  },
  { id: "11-kube-config-in-cluster", objects: ({ server }) => [kubeconfigInCluster(server)] },
  { id: "11-talos-node-rbac-template", objects: () => nodeAccess },
  {
    id: "13-talos-service-account-crd",
    when: ({ talosAPIServiceEnabled }) => talosAPIServiceEnabled,
    objects: () => [serviceAccountCrd],
  },
];

/** Renders what every cluster needs beside the control plane: node registration, pod network, services, DNS. */
export function manifestController(): Controller {
  return reduceController({
    name: "k8s.ManifestController",
    inputs: [
      weak(BootstrapManifestsConfig, { id: BootstrapManifestsConfig.id }),
      weak(KubernetesRootSecret, { id: KubernetesRootSecret.id }),
    ],
    outputs: [shared(Manifest)],
    async reduce(context) {
      const config = (await context.find(BootstrapManifestsConfig, BootstrapManifestsConfig.id))?.spec;
      const root = (await context.find(KubernetesRootSecret, KubernetesRootSecret.id))?.spec;
      if (config === undefined || root === undefined) return [];
      if (config.podSecurityPolicyEnabled) {
        throw new OsError({
          kind: "invalid-argument",
          code: "k8s/pod-security-policy",
          message: "pod security policies are not supported anymore, please remove the flag from the configuration",
          next: "talosctl edit machineconfig",
        });
      }
      return rows
        .filter(({ when }) => when === undefined || when(config))
        .map(({ id, objects }) => createResource(Manifest, id, objects(config, root) as ManifestSpec));
    },
  });
}
