import type { RecoveryDependencies } from "../../../etcd/recovery/inspect-member.ts";
import { refuseQuorum } from "../../../etcd/recovery/restore-member.ts";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import type { Exclusive, RecoveryMethod } from "./method.ts";

/** Stops the local member, so that the former cluster cannot come back beside the recovered one. */
export const stop =
  (machine: RecoveryDependencies, exclusive: Exclusive): RecoveryMethod<"stop"> =>
  async (_request, { signal }) => {
    await requireControlPlane(machine, "etcd recover");
    await exclusive(async () => {
      await refuseQuorum(machine, signal);
      await machine.services.stop("etcd");
    });
    return { messages: [{}] };
  };
