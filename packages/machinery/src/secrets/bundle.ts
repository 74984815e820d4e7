import type { PemPair } from "@talos-ts/crypto";

/** Everything secret that makes a cluster the cluster it is: made once, and put into the config of every machine. */
export interface SecretsBundle {
  readonly cluster: ClusterSecrets;
  readonly secrets: KubernetesSecrets;
  readonly trustdInfo: TrustdInfo;
  readonly certs: RootCertificates;
}

/** Identity of the cluster for the discovery service. */
export interface ClusterSecrets {
  /** 32 random bytes in URL-safe base64. Identifies the cluster to the discovery service. */
  readonly id: string;
  /** 32 random bytes in base64. Encrypts what members tell each other through the discovery service. */
  readonly secret: string;
}

/** Secrets of Kubernetes itself. */
export interface KubernetesSecrets {
  /** `[a-z0-9]{6}.[a-z0-9]{16}`, with which kubelets ask for their first certificate. */
  readonly bootstrapToken: string;
  /** 32 bytes in base64. Encrypts Kubernetes secrets at rest in clusters made for v1.2 and before. */
  readonly aescbcEncryptionSecret?: string;
  /** 32 bytes in base64. Encrypts Kubernetes secrets at rest. */
  readonly secretboxEncryptionSecret?: string;
}

/** Secrets of trustd. */
export interface TrustdInfo {
  /** With which a joining worker asks trustd for its first certificate. */
  readonly token: string;
}

/** CAs and signing keys of the cluster, PEM. */
export interface RootCertificates {
  readonly etcd: PemPair;
  readonly k8s: PemPair;
  readonly k8sAggregator: PemPair;
  /** Signs service account tokens. */
  readonly k8sServiceAccount: { readonly key: string };
  /** The CA of the machine API. */
  readonly os: PemPair;
}

/** A bundle of which anything may be missing: a file before it was checked, or the start of a generated one. */
export interface PartialBundle {
  readonly cluster?: Partial<ClusterSecrets>;
  readonly secrets?: Partial<KubernetesSecrets>;
  readonly trustdInfo?: Partial<TrustdInfo>;
  readonly certs?: Partial<RootCertificates>;
}
