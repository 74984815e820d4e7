import type { PemKeyPair } from "./secrets-bundle.ts";

/** Configurations carry PEM in base64. */
export function encodePem(pem: string): string {
  return Buffer.from(pem, "utf8").toString("base64");
}

export function encodeKeyPair({ crt, key }: PemKeyPair): { readonly crt: string; readonly key: string } {
  return { crt: encodePem(crt), key: encodePem(key) };
}
