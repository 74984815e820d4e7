import { cryptoError } from "../errors.ts";

/** Stands in YAML where a private key was removed before showing it; kept as it is in both directions. */
export const redactedPem = "******";

/**
 * PEM text out of the base64 that configs, bundles and kubeconfigs wrap it in. Line breaks in the base64 are ignored;
 * what comes out is not checked to be PEM.
 *
 * @param what Names the value in the error, for example `certs.os.key`.
 * @throws `crypto/bad-pem` when the value is not base64.
 */
export function pemFromBase64(value: string, what: string): string {
  if (value === redactedPem) return value;
  const compact = value.replaceAll(/[\r\n]/g, "");
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) {
    throw cryptoError("crypto/bad-pem", `Value of ${what} is not base64`);
  }
  return Buffer.from(compact, "base64").toString("utf8");
}

/** Encodes PEM in base64, as configurations carry it; `redactedPem` stays as it is. */
export const pemToBase64 = (pem: string): string =>
  pem === redactedPem ? pem : Buffer.from(pem, "utf8").toString("base64");
