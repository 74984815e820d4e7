import {
  createAuthority,
  systemEntropy,
  type CertificateAuthority,
  type Entropy,
  type KeyType,
} from "@talos-ts/crypto";

const hour = 3_600_000;

interface RootRow {
  /** The only part of the subject; without any, the subject is empty. */
  readonly organizations: readonly string[];
  readonly keyType: KeyType;
  readonly lifetimeMs: number;
}

/**
 * The CAs of the system.
 *
 * | root | subject | key | life |
 * |---|---|---|---|
 * | os | O=talos | Ed25519 | 10 years |
 * | etcd | O=etcd | ECDSA P-256 | 10 years |
 * | k8s | O=kubernetes | ECDSA P-256 | 10 years |
 * | k8sAggregator | empty | ECDSA P-256 | 10 years |
 * | maintenance | empty | Ed25519 | 24 hours, made at boot, never leaves the machine |
 */
export const roots = {
  os: { organizations: ["talos"], keyType: "ed25519", lifetimeMs: 87_600 * hour },
  etcd: { organizations: ["etcd"], keyType: "ecdsa", lifetimeMs: 87_600 * hour },
  k8s: { organizations: ["kubernetes"], keyType: "ecdsa", lifetimeMs: 87_600 * hour },
  k8sAggregator: { organizations: [], keyType: "ecdsa", lifetimeMs: 87_600 * hour },
  maintenance: { organizations: [], keyType: "ed25519", lifetimeMs: 24 * hour },
} as const satisfies Record<string, RootRow>;

export type RootName = keyof typeof roots;

/** A fresh CA after the table, valid from `now`. */
export function createRoot(name: RootName, now: Date, entropy: Entropy = systemEntropy): Promise<CertificateAuthority> {
  const { organizations, keyType, lifetimeMs } = roots[name];
  const notAfter = new Date(now.getTime() + lifetimeMs);
  return createAuthority({ keyType, subject: { organizations }, notBefore: now, notAfter }, entropy);
}
