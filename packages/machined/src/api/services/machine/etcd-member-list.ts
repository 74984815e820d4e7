import type { Clock } from "@talos-ts/base";
import { afterElection } from "../../../etcd/after-election.ts";
import { requireLeader } from "../../../etcd/etcd-client.ts";
import { callEtcd, type EtcdCallDependencies } from "../../support/etcd/call-etcd.ts";
import type { MachineMethod } from "./method.ts";

/** Lists members as the local one knows them, or as any member does. */
export const etcdMemberList =
  (machine: EtcdCallDependencies & { readonly clock: Clock }): MachineMethod<"etcdMemberList"> =>
  async ({ queryLocal }, { signal }) => {
    const call = { api: "member list", failure: "failed to list etcd members", anyMember: !queryLocal };
    const { members } = await callEtcd(machine, call, (client) =>
      afterElection(machine.clock, signal, () =>
        client.cluster.memberList({ linearizable: true }, { ...requireLeader, signal }),
      ),
    );
    return {
      messages: [
        {
          legacyMembers: members.map(({ name }) => name),
          members: members.map(({ ID, name, peerURLs, clientURLs, isLearner }) => ({
            id: ID,
            hostname: name,
            peerUrls: peerURLs,
            clientUrls: clientURLs,
            isLearner,
          })),
        },
      ],
    };
  };
