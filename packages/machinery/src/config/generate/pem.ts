import { pemToBase64, type PemPair } from "@talos-ts/crypto";

/** Encodes both PEM texts in base64, as configurations carry them. */
export function encodeKeyPair({ crt, key }: PemPair): PemPair {
  return { crt: pemToBase64(crt), key: pemToBase64(key) };
}
