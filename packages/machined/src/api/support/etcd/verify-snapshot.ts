import { createHash } from "node:crypto";
import { OsError } from "@talos-ts/base";

const hashBytes = 32;

/**
 * Passes a snapshot on and fails at its end unless the SHA-256 that etcd sends last is that of everything before it: a snapshot
 * that was cut short must not look like a whole one.
 *
 * @throws {OsError} `etcd/bad-snapshot`
 */
export async function* verifySnapshot(blobs: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let tail = Buffer.alloc(0);
  for await (const blob of blobs) {
    yield blob;
    const all = Buffer.concat([tail, blob]);
    const end = Math.max(0, all.length - hashBytes);
    hash.update(all.subarray(0, end));
    tail = all.subarray(end);
  }
  if (tail.length === hashBytes && hash.digest().equals(tail)) return;
  throw new OsError({
    kind: "data-loss",
    code: "etcd/bad-snapshot",
    message: "the snapshot ended before its sha256 checksum, or does not match it",
    next: "talosctl logs etcd",
  });
}
