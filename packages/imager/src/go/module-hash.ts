import { createHash } from "node:crypto";

/** One file of a module zip: its full name in the archive and the SHA-256 of its content in hexadecimal. */
export interface HashedFile {
  readonly name: string;
  readonly sha256: string;
}

export const sha256Of = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** Returns the hash that `go.sum` records for a module zip (`h1:`, Hash1 of golang.org/x/mod/sumdb/dirhash). */
export function moduleHash(files: readonly HashedFile[]): string {
  const hash = createHash("sha256");
  for (const { name, sha256 } of files.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))))
    hash.update(`${sha256}  ${name}\n`);
  return `h1:${hash.digest("base64")}`;
}
