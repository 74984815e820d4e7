import { inspectMember, type RecoveryDependencies } from "../../../etcd/recovery/inspect-member.ts";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import { inspection } from "./inspection.ts";
import type { Exclusive, RecoveryMethod } from "./method.ts";

/** Reads the local member, running or not. */
export const inspect =
  (machine: RecoveryDependencies, exclusive: Exclusive): RecoveryMethod<"inspect"> =>
  async (_request, { signal }) => {
    await requireControlPlane(machine, "etcd recover");
    const found = await exclusive(() => inspectMember(machine, signal));
    return { messages: [inspection(found.state, found)] };
  };
