/** The secrets a configuration is generated from. PEM text, not base64. */

export interface PemKeyPair {
  readonly crt: string;
  readonly key: string;
}

export interface SecretsBundle {
  readonly cluster: { readonly id: string; readonly secret: string };
  readonly secrets: {
    readonly bootstrapToken: string;
    readonly secretboxEncryptionSecret?: string | undefined;
    readonly aescbcEncryptionSecret?: string | undefined;
  };
  readonly trustdInfo: { readonly token: string };
  readonly certs: {
    readonly etcd: PemKeyPair;
    readonly k8s: PemKeyPair;
    readonly k8sAggregator: PemKeyPair;
    readonly k8sServiceAccount: { readonly key: string };
    readonly os: PemKeyPair;
  };
}
