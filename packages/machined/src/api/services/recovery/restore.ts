import type { RecoveryDependencies } from "../../../etcd/recovery/inspect-member.ts";
import { recoveryFiles } from "../../../etcd/recovery/recovery-files.ts";
import { restoreMember } from "../../../etcd/recovery/restore-member.ts";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import type { Exclusive, RecoveryMethod } from "./method.ts";

/** Begins a new cluster with the data of the local member. */
export const restore =
  (machine: RecoveryDependencies, exclusive: Exclusive): RecoveryMethod<"restore"> =>
  async ({ memberId, revision }, { signal }) => {
    await requireControlPlane(machine, "etcd recover");
    const facts = await exclusive(() => restoreMember(machine, { memberId, revision }, signal));
    return { messages: [{ revision: facts.revision, keys: facts.keys, snapshot: recoveryFiles.snapshot }] };
  };
