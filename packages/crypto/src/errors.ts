import { OsError, type ErrorKind } from "@talos-ts/base";

/**
 * Every way the package refuses its input, and the kind it maps to.
 *
 * Bytes from outside that cannot be read are `invalid-argument`; a certificate that reads well but must not be
 * trusted is `unauthenticated`.
 */
const cryptoConditions = {
  "crypto/bad-pem": "invalid-argument",
  "crypto/bad-der": "invalid-argument",
  "crypto/bad-key": "invalid-argument",
  "crypto/bad-certificate": "invalid-argument",
  "crypto/bad-request": "invalid-argument",
  "crypto/bad-name": "invalid-argument",
  "crypto/unsupported-key": "invalid-argument",
  "crypto/unsupported-signature": "invalid-argument",
  "crypto/bad-signature": "unauthenticated",
  "crypto/key-mismatch": "invalid-argument",
  "crypto/not-a-ca": "invalid-argument",
  "crypto/untrusted": "unauthenticated",
  "crypto/expired": "unauthenticated",
  "crypto/not-yet-valid": "unauthenticated",
  "crypto/wrong-usage": "unauthenticated",
  "crypto/wrong-host": "unauthenticated",
} as const satisfies Record<`crypto/${string}`, ErrorKind>;

/** Code of an error of this package. */
export type CryptoCondition = keyof typeof cryptoConditions;

export function cryptoError(code: CryptoCondition, message: string, cause?: unknown): OsError {
  return new OsError({ kind: cryptoConditions[code], code, message, cause });
}

/** Runs `read`; whatever it throws comes out as an `OsError`, with `code` unless it already carries its own. */
export function guard<T>(code: CryptoCondition, message: string, read: () => T): T {
  try {
    return read();
  } catch (err) {
    if (err instanceof OsError && err.code !== "crypto/bad-der") throw err;
    throw cryptoError(code, `${message}: ${err instanceof Error ? err.message : String(err)}`, err);
  }
}
