import { isDeepStrictEqual } from "node:util";
import { OsError } from "@talos-ts/base";
import { openLocalEtcdClient } from "./open-client.ts";

/** Longest time that etcd may take, milliseconds; a change of members needs quorum. */
const timeoutMs = 30_000;

/**
 * Sets the peer URLs of the local member unless they are so already. Idempotent.
 *
 * @returns the member that was changed, or `undefined` when nothing was to be done
 */
export async function advertisePeerUrls(
  machine: { readonly root: string },
  urls: readonly string[],
  signal: AbortSignal,
): Promise<bigint | undefined> {
  await using client = await openLocalEtcdClient(machine);
  const { header, members } = await client.cluster.memberList({}, { signal, timeoutMs });
  const own = members.find(({ ID }) => ID === header?.memberId);
  if (own === undefined) {
    throw new OsError({
      kind: "not-found",
      code: "etcd/member-not-found",
      message: "local member not found in member list",
      next: "talosctl etcd members",
    });
  }
  if (isDeepStrictEqual(own.peerURLs, urls)) return undefined;
  await client.cluster.memberUpdate({ ID: own.ID, peerURLs: [...urls] }, { signal, timeoutMs });
  return own.ID;
}
