import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Entropy, KeyType } from "@talos-ts/crypto";

/** Helpers of the specs of this folder and of `talosconfig`. */

const makers: Readonly<Record<KeyType, () => KeyObject>> = {
  ed25519: () => generateKeyPairSync("ed25519").privateKey,
  ecdsa: () => generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey,
  rsa: () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
};

/** Repeatable bytes; keys are fresh, RSA of 2048 bits to be quick. Remembers the types asked for. */
export function testEntropy(seed = "seed"): Entropy & { readonly keyTypes: readonly KeyType[] } {
  let counter = 0;
  const keyTypes: KeyType[] = [];
  return {
    keyTypes,
    bytes(size) {
      counter += 1;
      return createHash("shake256", { outputLength: size }).update(`${seed}/${counter}`).digest();
    },
    key(type) {
      keyTypes.push(type);
      return Promise.resolve(makers[type]());
    },
  };
}

export const noon = new Date("2026-06-01T12:00:00.000Z");
export const hour = 3_600_000;
