import { isRecord, OsError } from "@talos-ts/base";
import { pemFromBase64, pemToBase64, type PemPair } from "@talos-ts/crypto";
import { parse } from "yaml";
import { emit } from "../yaml/emit.ts";
import { plainTree } from "../yaml/plain-tree.ts";
import type { PartialBundle, SecretsBundle } from "./bundle.ts";

const encodePair = ({ crt, key }: PemPair): PemPair => ({ crt: pemToBase64(crt), key: pemToBase64(key) });

/** The text of `secrets.yaml`, byte for byte as other tools write it. */
export function encodeBundle({ cluster, secrets, trustdInfo, certs }: SecretsBundle): string {
  const { bootstrapToken, aescbcEncryptionSecret, secretboxEncryptionSecret } = secrets;
  const shape = {
    cluster: { id: cluster.id, secret: cluster.secret },
    secrets: {
      bootstraptoken: bootstrapToken,
      ...(aescbcEncryptionSecret ? { aescbcencryptionsecret: aescbcEncryptionSecret } : {}),
      ...(secretboxEncryptionSecret ? { secretboxencryptionsecret: secretboxEncryptionSecret } : {}),
    },
    trustdinfo: { token: trustdInfo.token },
    certs: {
      etcd: encodePair(certs.etcd),
      k8s: encodePair(certs.k8s),
      k8saggregator: encodePair(certs.k8sAggregator),
      k8sserviceaccount: { key: pemToBase64(certs.k8sServiceAccount.key) },
      os: encodePair(certs.os),
    },
  };
  return emit(plainTree(shape));
}

type Section = Readonly<Record<string, unknown>>;

/**
 * Reads `secrets.yaml`. Keys that are not known are ignored, parts may be missing: see `validateBundle`.
 *
 * @throws `secrets/bad-yaml` when it is not YAML of that shape, `crypto/bad-pem` for a value that is not base64.
 */
export function decodeBundle(text: string): PartialBundle {
  const file = section(parseYaml(text), "the file") ?? {};
  const cluster = section(file["cluster"], "cluster");
  const secrets = section(file["secrets"], "secrets");
  const trustdInfo = section(file["trustdinfo"], "trustdinfo");
  const certs = section(file["certs"], "certs");
  return defined({
    cluster: cluster && defined({ id: word(cluster, "id"), secret: word(cluster, "secret") }),
    secrets:
      secrets &&
      defined({
        bootstrapToken: word(secrets, "bootstraptoken"),
        aescbcEncryptionSecret: word(secrets, "aescbcencryptionsecret"),
        secretboxEncryptionSecret: word(secrets, "secretboxencryptionsecret"),
      }),
    trustdInfo: trustdInfo && defined({ token: word(trustdInfo, "token") }),
    certs:
      certs &&
      defined({
        etcd: pair(certs, "etcd"),
        k8s: pair(certs, "k8s"),
        k8sAggregator: pair(certs, "k8saggregator"),
        k8sServiceAccount: serviceAccount(certs),
        os: pair(certs, "os"),
      }),
  });
}

/** Scalars stay text: a token may look like a number. */
function parseYaml(text: string): unknown {
  try {
    return parse(text, { schema: "failsafe" });
  } catch (err) {
    throw badYaml("Secrets bundle is not YAML", err);
  }
}

const badYaml = (message: string, cause?: unknown): OsError =>
  new OsError({ kind: "invalid-argument", code: "secrets/bad-yaml", message, cause });

/** Without null the schema reads an absent value as text. */
const absent = new Set<unknown>([undefined, null, "", "null", "~"]);

function section(value: unknown, name: string): Section | undefined {
  if (absent.has(value)) return undefined;
  if (isRecord(value)) return value;
  throw badYaml(`Expected ${name} of the secrets bundle to be a mapping`);
}

function word(from: Section, key: string): string | undefined {
  const value = from[key];
  if (absent.has(value)) return undefined;
  if (typeof value === "string") return value;
  throw badYaml(`Expected "${key}" of the secrets bundle to be text`);
}

function pair(certs: Section, name: string): PemPair | undefined {
  const value = section(certs[name], `certs.${name}`);
  if (value === undefined) return undefined;
  return {
    crt: pemFromBase64(word(value, "crt") ?? "", `certs.${name}.crt`),
    key: pemFromBase64(word(value, "key") ?? "", `certs.${name}.key`),
  };
}

function serviceAccount(certs: Section): { readonly key: string } | undefined {
  const value = section(certs["k8sserviceaccount"], "certs.k8sserviceaccount");
  return value && { key: pemFromBase64(word(value, "key") ?? "", "certs.k8sserviceaccount.key") };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Defined<T>;
}
