import { OsError } from "@talos-ts/base";
import type { KeyType } from "@talos-ts/crypto";

/** Describes what a bundle must contain so that machines of a given version understand it. */
export interface SecretsContract {
  readonly serviceAccountKey: KeyType;
  readonly encryption: "secretboxEncryptionSecret" | "aescbcEncryptionSecret";
}

interface Change {
  /** The first `[major, minor]` the change applies to. */
  readonly since: readonly [number, number];
  readonly sets: Partial<SecretsContract>;
}

const oldest: SecretsContract = { serviceAccountKey: "ecdsa", encryption: "aescbcEncryptionSecret" };

const changes: readonly Change[] = [
  { since: [1, 3], sets: { encryption: "secretboxEncryptionSecret" } },
  { since: [1, 7], sets: { serviceAccountKey: "rsa" } },
];

const pattern = /^v?(\d+)\.(\d+)($|\.)/;

/**
 * The contract of a version such as `v1.6` or `1.13.9`; without one, that of the current version.
 *
 * @throws `secrets/bad-version`.
 */
export function secretsContract(version?: string): SecretsContract {
  const [major, minor] = version === undefined || version === "" ? [Infinity, 0] : parseVersion(version);
  const applied = changes.filter(({ since }) => major > since[0] || (major === since[0] && minor >= since[1]));
  return Object.assign({}, oldest, ...applied.map(({ sets }) => sets)) as SecretsContract;
}

function parseVersion(version: string): readonly [number, number] {
  const match = pattern.exec(version);
  if (match !== null) return [Number(match[1]), Number(match[2])];
  throw new OsError({
    kind: "invalid-argument",
    code: "secrets/bad-version",
    message: `error parsing version "v${version.replace(/^v/, "")}"`,
    next: "talosctl gen secrets --talos-version v1.13",
  });
}
