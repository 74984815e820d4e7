import { openLocalEtcdClient } from "../../../etcd/open-client.ts";
import type { EtcdClient } from "../../../etcd/etcd-client.ts";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import { etcdFailure, type EtcdCallDependencies } from "../../support/etcd/call-etcd.ts";
import { verifySnapshot } from "../../support/etcd/verify-snapshot.ts";
import type { MachineMethod } from "./method.ts";

/** Streams the database of the local member with its checksum, and fails unless the checksum matches. */
export const etcdSnapshot = (machine: EtcdCallDependencies): MachineMethod<"etcdSnapshot"> =>
  async function* (_request, { signal }) {
    await requireControlPlane(machine, "etcd snapshot");
    try {
      await using client = await openLocalEtcdClient(machine);
      for await (const bytes of verifySnapshot(blobs(client, signal))) yield { bytes };
    } catch (err) {
      throw etcdFailure("failed reading etcd snapshot", err);
    }
  };

async function* blobs(client: EtcdClient, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const { blob } of client.maintenance.snapshot({}, { signal })) yield blob;
}
