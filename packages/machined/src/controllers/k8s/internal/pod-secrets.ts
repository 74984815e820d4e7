import { OsError } from "@talos-ts/base";
import { encodePublicKey, parsePrivateKey } from "@talos-ts/crypto";
import { controlPlaneUsers } from "@talos-ts/machinery/constants";
import type {
  EtcdRootSecretSpec,
  EtcdSecretSpec,
  KubernetesDynamicCertSpec,
  KubernetesRootSecretSpec,
  KubernetesSecretSpec,
} from "@talos-ts/machinery/resources/secrets";
import type { CertificateAndKey } from "@talos-ts/machinery/resources/values";
import { stringify } from "yaml";
import { secretsOf } from "./control-plane-pod.ts";
import type { OwnedFolder } from "./owned-files.ts";

export interface PodSecretsInput {
  readonly root: KubernetesRootSecretSpec;
  readonly etcdRoot: EtcdRootSecretSpec;
  readonly etcd: EtcdSecretSpec;
  readonly kubeconfigs: KubernetesSecretSpec;
  readonly certificates: KubernetesDynamicCertSpec;
}

/** Every secret file of the control plane pods. @throws OsError `secrets/missing` */
export function podSecrets({
  root,
  etcdRoot,
  etcd,
  kubeconfigs,
  certificates,
}: PodSecretsInput): readonly OwnedFolder[] {
  const serviceAccount = present(root.serviceAccount, "cluster.serviceAccount").key;
  return [
    {
      path: secretsOf("apiServer"),
      owner: controlPlaneUsers.apiServer,
      files: {
        "etcd-client-ca.crt": present(etcdRoot.etcdCA, "cluster.etcd.ca").crt,
        ...pair("etcd-client", present(etcd.etcdAPIServer, "etcd client")),
        "ca.crt": root.acceptedCAs.map(({ crt }) => crt).join(""),
        ...pair("apiserver", present(certificates.apiServer, "API server")),
        ...pair("apiserver-kubelet-client", present(certificates.apiServerKubeletClient, "kubelet client")),
        "service-account.pub": publicKey(serviceAccount),
        "service-account.key": serviceAccount,
        "aggregator-ca.crt": present(root.aggregatorCA, "cluster.aggregatorCA").crt,
        ...pair("front-proxy-client", present(certificates.frontProxy, "front proxy")),
        "encryptionconfig.yaml": encryptionConfig(root),
      },
    },
    {
      path: secretsOf("controllerManager"),
      owner: controlPlaneUsers.controllerManager,
      files: {
        ...pair("ca", present(root.issuingCA, "cluster.ca.key")),
        "service-account.key": serviceAccount,
        kubeconfig: kubeconfigs.controllerManagerKubeconfig,
      },
    },
    {
      path: secretsOf("scheduler"),
      owner: controlPlaneUsers.scheduler,
      files: { kubeconfig: kubeconfigs.schedulerKubeconfig },
    },
  ];
}

function pair(name: string, { crt, key }: CertificateAndKey): Readonly<Record<string, string>> {
  return { [`${name}.crt`]: crt, [`${name}.key`]: key };
}

function present<T>(value: T | undefined, name: string): T {
  if (value !== undefined) return value;
  throw new OsError({
    kind: "failed-precondition",
    code: "secrets/missing",
    message: `missing ${name} secret`,
    next: "talosctl edit machineconfig",
  });
}

const publicKey = (privateKey: string): string => encodePublicKey(parsePrivateKey(privateKey));

/**
 * Returns how secrets are stored in etcd: written with the first provider, read with any of them. What was stored in clear before
 * stays readable.
 */
export function encryptionConfig(root: KubernetesRootSecretSpec): string {
  const keys = (name: string, secret: string) => ({ keys: [{ name, secret }] });
  const { secretboxEncryptionSecret: secretbox, aesCBCEncryptionSecret: aescbc } = root;
  return stringify({
    apiVersion: "v1",
    kind: "EncryptionConfig",
    resources: [
      {
        resources: ["secrets"],
        providers: [
          ...(secretbox === "" ? [] : [{ secretbox: keys("key2", secretbox) }]),
          ...(aescbc === "" ? [] : [{ aescbc: keys("key1", aescbc) }]),
          { identity: {} },
        ],
      },
    ],
  });
}
