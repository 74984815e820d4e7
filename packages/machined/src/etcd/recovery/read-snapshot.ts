import { open, truncate } from "node:fs/promises";
import { verifySnapshot } from "../../api/support/etcd/verify-snapshot.ts";
import type { EtcdClient } from "../etcd-client.ts";

/** Bytes of the SHA-256 that etcd puts behind the database. */
const hashBytes = 32;

/** Streams a verified snapshot of a member; needs no quorum. */
export async function* readSnapshot(client: EtcdClient, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield* verifySnapshot(blobs(client, signal));
}

/** Writes the database of a member to a file, as it would be in a data directory: without the checksum. */
export async function saveDatabase(client: EtcdClient, path: string, signal: AbortSignal): Promise<void> {
  let size = 0;
  {
    await using file = await open(path, "w", 0o600);
    for await (const bytes of readSnapshot(client, signal)) {
      await file.writeFile(bytes);
      size += bytes.length;
    }
  }
  await truncate(path, size - hashBytes);
}

async function* blobs(client: EtcdClient, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const { blob } of client.maintenance.snapshot({}, { signal })) yield blob;
}
