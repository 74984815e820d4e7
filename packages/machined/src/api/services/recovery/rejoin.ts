import type { RecoveryDependencies } from "../../../etcd/recovery/inspect-member.ts";
import { rejoinMember } from "../../../etcd/recovery/rejoin-member.ts";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import type { Exclusive, RecoveryMethod } from "./method.ts";

/** Makes this machine a member of the cluster that has quorum. */
export const rejoin =
  (machine: RecoveryDependencies, exclusive: Exclusive): RecoveryMethod<"rejoin"> =>
  async ({ clusterId, discardData }, { signal }) => {
    await requireControlPlane(machine, "etcd recover");
    await exclusive(() => rejoinMember(machine, { clusterId, discardData }, signal));
    return { messages: [{}] };
  };
