import type { EtcdClient } from "./etcd-client.ts";

/** Reads a key through consensus: the answer comes only while a majority of the members agrees. */
export async function checkQuorum(client: Pick<EtcdClient, "kv">, signal: AbortSignal): Promise<void> {
  await client.kv.range({ key: Buffer.from("health") }, { signal });
}
