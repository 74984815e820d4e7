import type { Logger } from "@talos-ts/cosi";
import { forfeitLeadership } from "../../../etcd/forfeit-leadership.ts";
import { callEtcd, type EtcdCallDependencies } from "../../support/etcd/call-etcd.ts";
import type { MachineMethod } from "./method.ts";

/** Hands the leadership to another member if this machine has it; answers with the name of the new leader. */
export const etcdForfeitLeadership =
  (machine: EtcdCallDependencies & { readonly logger: Logger }): MachineMethod<"etcdForfeitLeadership"> =>
  async (_request, { signal }) => {
    const call = { api: "etcd forfeit leadership", failure: "failed to forfeit leadership" };
    const member = await callEtcd(machine, call, (client) => forfeitLeadership(client, machine.logger, signal));
    return { messages: [{ member: member ?? "" }] };
  };
