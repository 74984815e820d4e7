import { createHash } from "node:crypto";
import { OsError } from "@talos-ts/base";

/** Length of the hexadecimal part for each algorithm that is accepted. */
const hexLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

export function isDigest(text: string): boolean {
  const [, algorithm = "", hex = ""] = /^([a-z0-9]+):([a-f0-9]+)$/.exec(text) ?? [];
  return Object.hasOwn(hexLengths, algorithm) && hexLengths[algorithm] === hex.length;
}

/** Splits `sha256:abc…` in its algorithm and its hexadecimal part. @throws invalid-argument */
export function splitDigest(digest: string): { readonly algorithm: string; readonly hex: string } {
  if (!isDigest(digest)) {
    throw new OsError({
      kind: "invalid-argument",
      code: "image/bad-digest",
      message: `invalid digest ${JSON.stringify(digest.slice(0, 160))}: expected sha256:<64 hexadecimal digits>`,
    });
  }
  const colon = digest.indexOf(":");
  return { algorithm: digest.slice(0, colon), hex: digest.slice(colon + 1) };
}

/** The sha256 digest of bytes. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** @throws data-loss unless the bytes are those that the digest names */
export function checkDigest(bytes: Uint8Array, digest: string, what: string): void {
  const { algorithm } = splitDigest(digest);
  const actual = `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
  if (actual !== digest) throw mismatch(what, digest, actual);
}

/**
 * Passes chunks on and checks them: as soon as there is one byte too many, and when they end.
 *
 * @throws data-loss when size or digest are not as expected
 */
export async function* verified(
  chunks: AsyncIterable<Uint8Array>,
  expected: { readonly digest: string; readonly size: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { algorithm } = splitDigest(expected.digest);
  const hash = createHash(algorithm);
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > expected.size) throw wrongSize(expected.digest, expected.size, size);
    hash.update(chunk);
    yield chunk;
  }
  if (size !== expected.size) throw wrongSize(expected.digest, expected.size, size);
  const actual = `${algorithm}:${hash.digest("hex")}`;
  if (actual !== expected.digest) throw mismatch("blob", expected.digest, actual);
}

function wrongSize(digest: string, expected: number, actual: number): OsError {
  return new OsError({
    kind: "data-loss",
    code: "image/wrong-size",
    message: `blob ${digest} has ${actual > expected ? "more than " : ""}${String(Math.min(actual, expected))} bytes, expected ${String(expected)}`,
  });
}

function mismatch(what: string, expected: string, actual: string): OsError {
  return new OsError({
    kind: "data-loss",
    code: "image/digest-mismatch",
    message: `${what} has digest ${actual}, expected ${expected}`,
  });
}
