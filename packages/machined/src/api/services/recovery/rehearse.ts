import { OsError } from "@talos-ts/base";
import { isDataDirectoryEmpty } from "../../../etcd/data-directory.ts";
import type { EtcdClient } from "../../../etcd/etcd-client.ts";
import { requireSpec, type RecoveryDependencies } from "../../../etcd/recovery/inspect-member.ts";
import { withThrowAwayEtcd } from "../../../etcd/recovery/throw-away-etcd.ts";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import { inspection } from "./inspection.ts";
import type { Exclusive, RecoveryMethod } from "./method.ts";

const timeoutMs = 30_000;

/** Recovers a copy of the data in a throw-away etcd that also takes a write; the member itself goes on meanwhile. */
export const rehearse =
  (machine: RecoveryDependencies, exclusive: Exclusive): RecoveryMethod<"rehearse"> =>
  async (_request, { signal }) => {
    await requireControlPlane(machine, "etcd recover");
    const facts = await exclusive(async () => {
      if (await isDataDirectoryEmpty(machine)) throw noData();
      return withThrowAwayEtcd(machine, await requireSpec(machine), signal, async ({ client, facts: found }) => {
        await tryWrite(client, signal);
        return found;
      });
    });
    return { messages: [inspection("rehearsed", facts)] };
  };

/** Writes a key through consensus and reads it back. */
async function tryWrite(client: EtcdClient, signal: AbortSignal): Promise<void> {
  const key = Buffer.from("rehearsal");
  const { header } = await client.kv.put({ key, value: key }, { signal, timeoutMs });
  const { kvs } = await client.kv.range({ key }, { signal, timeoutMs });
  if (kvs[0]?.modRevision === header?.revision) return;
  throw new OsError({
    kind: "data-loss",
    code: "etcd/rehearsal-failed",
    message: `The throw-away etcd wrote a key with revision ${String(header?.revision)} and read it back with ${String(kvs[0]?.modRevision)}`,
    next: "talosctl logs etcd-recovery",
  });
}

function noData(): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "etcd/no-data",
    message: "Cannot rehearse a recovery: the node has no data of etcd",
    next: "talosctl etcd recover --dry-run",
  });
}
