import { OsError } from "@talos-ts/base";
import { listTyped, type State } from "@talos-ts/cosi";
import { systemVolumes } from "@talos-ts/machinery/constants";
import { Disk } from "@talos-ts/machinery/resources/block";
import { ResetRequest_WipeMode as WipeMode, type ResetRequest } from "@talos-ts/proto/machine/power";
import type { MachineMethod } from "./method.ts";
import { startSequence, type StartSequenceDependencies } from "../../support/start-sequence.ts";
import type { EtcdAccess } from "../../../etcd/dependencies.ts";
import { requireOtherMembers } from "../../../etcd/require-other-members.ts";
import type { Platform } from "../../../platform.ts";
import type { ServiceManager } from "../../../services/service-manager.ts";

/** Describes what a reset needs of the machine. */
export interface ResetDependencies extends EtcdAccess, StartSequenceDependencies {
  readonly state: State;
  readonly services: ServiceManager;
  readonly platform: Pick<Platform, "mode">;
}

/** Partitions of a system disk that a machine makes anew when they are empty. */
const wipable: readonly string[] = [systemVolumes.state, systemVolumes.ephemeral];

export const reset =
  (machine: ResetDependencies): MachineMethod<"reset"> =>
  async (request, { signal }) => {
    await checkDisks(machine, request);
    checkPartitions(machine, request);
    const { graceful, reboot } = request;
    const partitions = request.systemPartitionsToWipe.map(({ label }) => label);
    if (graceful) await checkEtcd(machine, signal);
    const what = { graceful, reboot, ...(partitions.length > 0 && { partitions }) };
    return { messages: [{ actorId: startSequence(machine, "reset", what) }] };
  };

/** A graceful reset ends in the middle when etcd cannot be left, so that is found out first. */
async function checkEtcd(machine: ResetDependencies, signal: AbortSignal): Promise<void> {
  const etcd = machine.services.list().find(({ service }) => service.id === "etcd");
  if (etcd?.state === "running") await requireOtherMembers(machine, signal);
}

/** Conflicts between what is to be wiped and how, and disks that cannot be. */
async function checkDisks(machine: ResetDependencies, { mode, userDisksToWipe }: ResetRequest): Promise<void> {
  if (userDisksToWipe.length === 0) return;
  if (mode === WipeMode.SYSTEM_DISK) {
    throw refused("reset failed: invalid input, wipe mode SYSTEM_DISK doesn't support UserDisksToWipe parameter");
  }
  const disks = new Map((await listTyped(machine.state, Disk)).map(({ spec }) => [spec.devPath, spec]));
  for (const path of userDisksToWipe) {
    const disk = disks.get(path);
    if (disk === undefined) throw refused(`reset user disk failed: device ${path} wasn't found`);
    if (disk.readonly) throw refused(`reset user disk failed: device ${path} is readonly`);
  }
  throw refused(`reset user disk failed: device ${userDisksToWipe.join(", ")} cannot be wiped by this machine`);
}

/** Wiping more than was asked for cannot be undone, so a part is refused where only the whole can be wiped. */
function checkPartitions(
  { platform }: ResetDependencies,
  { mode, systemPartitionsToWipe: partitions }: ResetRequest,
): void {
  if (mode === WipeMode.USER_DISKS && partitions.length > 0) {
    throw refused("reset failed: invalid input, wipe mode USER_DISKS doesn't support SystemPartitionsToWipe parameter");
  }
  if (mode === WipeMode.USER_DISKS) throw refused("reset failed: this machine has no user disks to wipe");
  if (partitions.length === 0) return;
  const labels = partitions.map(({ label }) => label);
  if (platform.mode === "container") {
    throw refused(`reset failed: cannot wipe ${labels.join(", ")} alone, only the whole state of this machine`);
  }
  const unknown = labels.filter((label) => !wipable.includes(label));
  if (unknown.length === 0) return;
  throw refused(`reset failed: cannot wipe ${unknown.join(", ")}, expected ${wipable.join(" or ")}`);
}

function refused(message: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "machine/reset-refused",
    message,
    next: "talosctl reset --wipe-mode system-disk",
  });
}
