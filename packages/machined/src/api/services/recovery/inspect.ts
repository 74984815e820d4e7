import { inspectMember, type RecoveryDependencies } from "../../../etcd/recovery/inspect-member.ts";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import { inspection } from "./inspection.ts";
import type { Exclusive, RecoveryMethod } from "./method.ts";

/** Reads the local member, running or not. */
export const inspect =
  (machine: RecoveryDependencies, exclusive: Exclusive): RecoveryMethod<"inspect"> =>
  async ({ answeringOnly }, { signal }) => {
    await requireControlPlane(machine, "etcd recover");
    const found = await exclusive(() => inspectMember(machine, { answeringOnly }, signal));
    return { messages: [inspection(found.state, found)] };
  };
