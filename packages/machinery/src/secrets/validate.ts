import { describeError, OsError } from "@talos-ts/base";
import { parsePair, parsePrivateKey } from "@talos-ts/crypto";
import type { PartialBundle, SecretsBundle } from "./bundle.ts";

/** A rule of what a bundle must have: `undefined` where it does, else the complaint. */
type Check = (bundle: PartialBundle) => string | undefined;

const encryptionSecrets = "[secrets.secretboxencryptionsecret, secrets.aescbcencryptionsecret]";

const checks: readonly Check[] = [
  required("cluster", ({ cluster }) => cluster),
  required("cluster.id", ({ cluster }) => cluster && (cluster.id ?? "")),
  required("cluster.secret", ({ cluster }) => cluster && (cluster.secret ?? "")),
  required("secrets", ({ secrets }) => secrets),
  required("secrets.bootstraptoken", ({ secrets }) => secrets && (secrets.bootstrapToken ?? "")),
  ({ secrets }) =>
    secrets !== undefined && !secrets.aescbcEncryptionSecret && !secrets.secretboxEncryptionSecret
      ? `one of ${encryptionSecrets} is required`
      : undefined,
  ({ secrets }) =>
    secrets?.aescbcEncryptionSecret && secrets.secretboxEncryptionSecret
      ? `only one of ${encryptionSecrets} is allowed`
      : undefined,
  required("trustdinfo", ({ trustdInfo }) => trustdInfo),
  required("trustdinfo.token", ({ trustdInfo }) => trustdInfo && (trustdInfo.token ?? "")),
  required("certs", ({ certs }) => certs),
  certificate("etcd", "etcd"),
  certificate("k8s", "k8s"),
  certificate("k8saggregator", "k8sAggregator"),
  certificate("os", "os"),
  ({ certs }) => {
    if (certs === undefined) return undefined;
    const key = certs.k8sServiceAccount?.key;
    if (key === undefined) return "certs.k8sserviceaccount is required";
    return complaint("certs.k8sserviceaccount.key", () => parsePrivateKey(key));
  },
];

/** `pick` answers `undefined` where the part above is missing already, and `""` where only this one is. */
function required(path: string, pick: (bundle: PartialBundle) => object | string | undefined): Check {
  const isSection = !path.includes(".");
  return (bundle) => {
    const value = pick(bundle);
    return value === "" || (value === undefined && isSection) ? `${path} is required` : undefined;
  };
}

function certificate(path: string, key: "etcd" | "k8s" | "k8sAggregator" | "os"): Check {
  return ({ certs }) => {
    if (certs === undefined) return undefined;
    const pair = certs[key];
    if (pair === undefined) return `certs.${path} is required`;
    return complaint(`certs.${path}`, () => parsePair(pair));
  };
}

function complaint(path: string, check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (err) {
    return `${path} is invalid: ${describeError(err)}`;
  }
}

/** Everything that is wrong with a bundle; empty when it is complete. */
export function bundleProblems(bundle: PartialBundle): string[] {
  return checks.flatMap((check) => check(bundle) ?? []);
}

/**
 * A bundle that is known to be complete.
 *
 * @param source Names it in the error, for example its file.
 * @throws `secrets/invalid-bundle` with all problems in `details.problems`.
 */
export function validateBundle(bundle: PartialBundle, source: string): SecretsBundle {
  const problems = bundleProblems(bundle);
  if (problems.length === 0) return bundle as SecretsBundle;
  throw new OsError({
    kind: "invalid-argument",
    code: "secrets/invalid-bundle",
    message: `Secrets bundle from ${source} is not complete: ${problems.join("; ")}`,
    next: "talosctl gen secrets -o secrets.yaml",
    details: { problems },
  });
}
