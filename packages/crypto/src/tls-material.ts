import { createSecureContext } from "node:tls";
import { cryptoError } from "./errors.ts";
import { tlsPrivateKey } from "./keys.ts";
import type { PemPair } from "./x509/authority.ts";

/** Certificate, key and trusted CAs in the form of `node:tls`. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  readonly ca: string[];
}

/**
 * Prepares a pair for `node:tls` and tries it, so that a listener never starts with material that cannot be used.
 *
 * @param trusted CAs as PEM. An empty list trusts nobody: without the list Node.js would trust every public CA.
 * @throws `crypto/bad-certificate` when there is no pair, or when OpenSSL refuses it.
 */
export function tlsMaterial(pair: PemPair | undefined, trusted: readonly string[]): TlsMaterial {
  if (pair === undefined) throw cryptoError("crypto/bad-certificate", "there is none");
  const material = { cert: pair.crt, key: tlsPrivateKey(pair.key), ca: trusted.filter((crt) => crt !== "") };
  try {
    createSecureContext(material);
  } catch (err) {
    throw cryptoError("crypto/bad-certificate", err instanceof Error ? err.message : String(err), err);
  }
  return material;
}
