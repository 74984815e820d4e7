import type { EtcdClient } from "./etcd-client.ts";

/**
 * Reads a key through consensus: the answer comes only while a majority of the members agrees.
 *
 * @param timeoutMs @default {Infinity}
 */
export async function checkQuorum(
  client: Pick<EtcdClient, "kv">,
  signal: AbortSignal,
  timeoutMs?: number,
): Promise<void> {
  const call = { signal, ...(timeoutMs !== undefined && { timeoutMs }) };
  await client.kv.range({ key: Buffer.from("health") }, call);
}
