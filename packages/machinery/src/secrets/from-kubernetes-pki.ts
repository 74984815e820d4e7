import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { parsePair, parsePrivateKey, type PemPair } from "@talos-ts/crypto";
import type { SecretsBundle } from "./bundle.ts";
import { generateBundle, type GenerateOptions } from "./generate.ts";

/** Files of `/etc/kubernetes/pki`, without their `.crt` and `.key`. */
const files = { k8s: "ca", etcd: join("etcd", "ca"), k8sAggregator: "front-proxy-ca" } as const;

/**
 * A bundle that takes over a cluster made by kubeadm: its three CAs and its service account key; the rest is new.
 *
 * @param bootstrapToken Kept if given, else made.
 * @throws `secrets/bad-kubernetes-pki` for a missing or unreadable file, or whatever reading its PEM throws.
 */
export async function bundleFromKubernetesPki(
  directory: string,
  bootstrapToken: string | undefined,
  options: Omit<GenerateOptions, "existing">,
): Promise<SecretsBundle> {
  const stats = await stat(directory).catch((err: unknown) => fail(`Cannot read Kubernetes PKI "${directory}"`, err));
  if (!stats.isDirectory()) fail(`"${directory}" is not a directory`);

  const serviceAccountKey = await read(join(directory, "sa.key"));
  check(join(directory, "sa.key"), () => parsePrivateKey(serviceAccountKey));
  const certs = {
    k8s: await readPair(directory, files.k8s),
    etcd: await readPair(directory, files.etcd),
    k8sAggregator: await readPair(directory, files.k8sAggregator),
    k8sServiceAccount: { key: serviceAccountKey },
  };
  return generateBundle({
    ...options,
    existing: { certs, secrets: bootstrapToken === undefined ? {} : { bootstrapToken } },
  });
}

async function readPair(directory: string, name: string): Promise<PemPair> {
  const path = join(directory, name);
  const pair = { crt: await read(`${path}.crt`), key: await read(`${path}.key`) };
  check(path, () => parsePair(pair));
  return pair;
}

const read = (path: string): Promise<string> =>
  readFile(path, "utf8").catch((err: unknown) => fail(`Cannot read "${path}" of the Kubernetes PKI`, err));

function check(path: string, parse: () => unknown): void {
  try {
    parse();
  } catch (err) {
    fail(`Kubernetes PKI file "${path}" is not usable`, err);
  }
}

function fail(message: string, cause?: unknown): never {
  const reason = cause === undefined ? undefined : OsError.from(cause, "invalid-argument");
  throw new OsError({
    kind: reason?.kind ?? "invalid-argument",
    code: "secrets/bad-kubernetes-pki",
    message: reason === undefined ? message : `${message}: ${reason.message}`,
    next: "ls -R /etc/kubernetes/pki",
    cause,
  });
}
