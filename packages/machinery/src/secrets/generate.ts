import { encodePrivateKey, systemEntropy, type Entropy, type PemPair } from "@talos-ts/crypto";
import type { KubernetesSecrets, PartialBundle, SecretsBundle } from "./bundle.ts";
import { secretsContract, type SecretsContract } from "./contract.ts";
import { createRoot, type RootName } from "./roots.ts";
import { createToken } from "./token.ts";

/** Settings of `generateBundle`. */
export interface GenerateOptions {
  /** The moment the CAs become valid. */
  readonly now: Date;
  /** @default the contract of the current version */
  readonly contract?: SecretsContract;
  /** @default {systemEntropy} */
  readonly entropy?: Entropy;
  /** Parts that exist already and are kept. */
  readonly existing?: PartialBundle;
}

const secretSize = 32;

/** Makes a bundle, or completes one. The default contract has an RSA key, which takes seconds to make. */
export async function generateBundle(options: GenerateOptions): Promise<SecretsBundle> {
  const { now, contract = secretsContract(), entropy = systemEntropy, existing = {} } = options;
  const { cluster = {}, secrets = {}, trustdInfo = {}, certs = {} } = existing;
  const root = async (name: RootName, pair: PemPair | undefined): Promise<PemPair> =>
    pair ?? (await createRoot(name, now, entropy)).pem;

  return {
    cluster: {
      id: cluster.id || urlSafe(entropy.bytes(secretSize)),
      secret: cluster.secret || entropy.bytes(secretSize).toString("base64"),
    },
    secrets: {
      bootstrapToken: secrets.bootstrapToken || createToken(entropy),
      ...encryptionSecret(secrets, contract, entropy),
    },
    trustdInfo: { token: trustdInfo.token || createToken(entropy) },
    certs: {
      etcd: await root("etcd", certs.etcd),
      k8s: await root("k8s", certs.k8s),
      k8sAggregator: await root("k8sAggregator", certs.k8sAggregator),
      k8sServiceAccount: certs.k8sServiceAccount ?? {
        key: encodePrivateKey(await entropy.key(contract.serviceAccountKey)),
      },
      os: await root("os", certs.os),
    },
  };
}

/** URL-safe, but padded: the form other tools compare cluster ids in. */
const urlSafe = (bytes: Buffer): string => bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_");

/** The secret that exists, whatever its kind, since changing it would lose what it encrypted; else a new one. */
function encryptionSecret(
  existing: Partial<KubernetesSecrets>,
  contract: SecretsContract,
  entropy: Entropy,
): Partial<KubernetesSecrets> {
  const { aescbcEncryptionSecret, secretboxEncryptionSecret } = existing;
  if (secretboxEncryptionSecret) return { secretboxEncryptionSecret };
  if (aescbcEncryptionSecret) return { aescbcEncryptionSecret };
  return { [contract.encryption]: entropy.bytes(secretSize).toString("base64") };
}
