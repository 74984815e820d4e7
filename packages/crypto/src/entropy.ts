import { randomBytes, type KeyObject } from "node:crypto";
import { generateKey, type KeyType } from "./keys.ts";

/** Source of random bytes and keys, so that tests can make certificates repeatable and skip slow RSA keys. */
export interface Entropy {
  bytes(size: number): Buffer;
  key(type: KeyType): Promise<KeyObject>;
}

/** Random bytes and keys of `node:crypto`. */
export const systemEntropy: Entropy = { bytes: (size) => randomBytes(size), key: (type) => generateKey(type) };
