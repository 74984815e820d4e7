import { pemFromBase64, type PemPair } from "@talos-ts/crypto";
import type { PartialBundle, SecretsBundle } from "./bundle.ts";
import { validateBundle } from "./validate.ts";

/**
 * The secrets a control plane machine runs with, taken from its main config document.
 *
 * @param config The parsed `v1alpha1` document: plain objects, PEM values in base64 as in the file.
 * @param source Names the config in errors.
 * @throws `secrets/invalid-bundle` when something is missing, as in the config of a worker.
 */
export function bundleFromConfig(config: unknown, source = "the config"): SecretsBundle {
  const text = (...path: readonly string[]): string | undefined => {
    const value = path.reduce<unknown>(child, config);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const pair = (...path: readonly string[]): PemPair | undefined => {
    if (path.reduce<unknown>(child, config) === undefined) return undefined;
    const part = (name: string): string =>
      pemFromBase64(text(...path, name) ?? "", `${[...path, name].join(".")} of ${source}`);
    return { crt: part("crt"), key: part("key") };
  };
  const serviceAccount = text("cluster", "serviceAccount", "key");
  const keyPath = `cluster.serviceAccount.key of ${source}`;

  const bundle = {
    cluster: { id: text("cluster", "id"), secret: text("cluster", "secret") },
    secrets: {
      bootstrapToken: text("cluster", "token"),
      aescbcEncryptionSecret: text("cluster", "aescbcEncryptionSecret"),
      secretboxEncryptionSecret: text("cluster", "secretboxEncryptionSecret"),
    },
    trustdInfo: { token: text("machine", "token") },
    certs: {
      etcd: pair("cluster", "etcd", "ca"),
      k8s: pair("cluster", "ca"),
      k8sAggregator: pair("cluster", "aggregatorCA"),
      k8sServiceAccount: serviceAccount === undefined ? undefined : { key: pemFromBase64(serviceAccount, keyPath) },
      os: pair("machine", "ca"),
    },
  };
  return validateBundle(bundle as PartialBundle, source);
}

function child(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name] ?? undefined;
}
