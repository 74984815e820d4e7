import { OsError } from "@talos-ts/base";
import { openLocalEtcdClient } from "./open-client.ts";

/** Longest time that the local member may take to answer, milliseconds. */
const timeoutMs = 15_000;

/** Asks the local etcd for its member id. Needs no quorum. */
export async function localMemberId(machine: { readonly root: string }, signal: AbortSignal): Promise<bigint> {
  await using client = await openLocalEtcdClient(machine);
  const { header } = await client.maintenance.status({}, { signal, timeoutMs });
  if (header !== undefined) return header.memberId;
  throw new OsError({ kind: "internal", code: "etcd/no-header", message: "etcd answered without a response header" });
}
