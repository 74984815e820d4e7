import { callEtcd, type EtcdCallDependencies } from "../../support/etcd/call-etcd.ts";
import type { MachineMethod } from "./method.ts";

/** Status of the local member; answered without quorum. */
export const etcdStatus =
  (machine: EtcdCallDependencies): MachineMethod<"etcdStatus"> =>
  async (_request, { signal }) => {
    const call = { api: "etcd status", failure: "failed to query etcd status" };
    const status = await callEtcd(machine, call, (client) => client.maintenance.status({}, { signal }));
    const { dbSize, dbSizeInUse, leader, raftIndex, raftTerm, raftAppliedIndex, errors, isLearner, header } = status;
    return {
      messages: [
        {
          memberStatus: {
            memberId: header?.memberId ?? 0n,
            protocolVersion: status.version,
            storageVersion: status.storageVersion || storageVersionOf(status.version),
            dbSize,
            dbSizeInUse,
            leader,
            raftIndex,
            raftTerm,
            raftAppliedIndex,
            errors,
            isLearner,
          },
        },
      ],
    };
  };

/** Versions before 3.6 do not tell it, and store as their minor version says. */
function storageVersionOf(version: string): string {
  const [, minor] = /^(\d+\.\d+)\./.exec(version) ?? [];
  return minor === undefined ? "unknown" : `${minor}.0`;
}
