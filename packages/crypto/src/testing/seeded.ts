import { execFileSync } from "node:child_process";
import { createHash, createPrivateKey, type KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entropy } from "../entropy.ts";
import type { KeyType } from "../keys.ts";

/** Helpers of this package's specs; not exported from the package. */

/** Bytes that follow from a seed, one after the other. */
export function seededBytes(seed: string): (size: number) => Buffer {
  let counter = 0;
  return (size) => {
    const chunks: Buffer[] = [];
    for (let length = 0; length < size; length += 32) {
      chunks.push(createHash("sha256").update(`${seed}/${counter}`).digest());
      counter += 1;
    }
    return Buffer.concat(chunks).subarray(0, size);
  };
}

const curve = "prime256v1";

/** Repeatable Ed25519 keys and random bytes; EC and RSA keys come from OpenSSL, RSA of 2048 bits to be quick. */
export function seededEntropy(seed: string): Entropy {
  const bytes = seededBytes(seed);
  const makers: Readonly<Record<KeyType, () => KeyObject>> = {
    ed25519: () =>
      createPrivateKey({
        key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), bytes(32)]),
        format: "der",
        type: "pkcs8",
      }),
    ecdsa: () => createPrivateKey(openssl("", "genpkey", "-algorithm", "EC", "-pkeyopt", `ec_paramgen_curve:${curve}`)),
    rsa: () => createPrivateKey(openssl("", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")),
  };
  return { bytes, key: (type) => Promise.resolve(makers[type]()) };
}

/** Runs OpenSSL with `input` and returns what it prints; a failure throws with its complaint. */
export function openssl(input: string, ...args: readonly string[]): string {
  return execFileSync("openssl", args, { input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
}

export interface Scratch extends Disposable {
  /** Writes a file and returns its path. */
  file(name: string, text: string): string;
}

export function createScratch(): Scratch {
  const directory = mkdtempSync(join(tmpdir(), "crypto-"));
  return {
    file(name, text) {
      const path = join(directory, name);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export const hour = 3_600_000;
/** The moment all specs take place at, except where OpenSSL looks at its own clock. */
export const noon = new Date("2026-06-01T12:00:00.000Z");
