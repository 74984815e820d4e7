import { OsError } from "@talos-ts/base";
import type { MachineTraits, Phase, SequenceName, SequenceRequest, TaskName } from "../sequence.ts";

/** Phase of a sequence, and the machines and requests that have it. */
interface Row extends Phase {
  readonly when?: (traits: MachineTraits, request: SequenceRequest) => boolean;
}

function phase(name: string, tasks: readonly TaskName[], when?: Row["when"]): Row {
  return when === undefined ? { name, tasks } : { name, tasks, when };
}

const isGraceful = (_traits: MachineTraits, request: SequenceRequest): boolean => request.graceful === true;
const hasEtcd = ({ type }: MachineTraits): boolean => type === "controlplane" || type === "init";

const inContainer = ({ mode }: MachineTraits): boolean => mode === "container";
const hasHardware = (traits: MachineTraits): boolean => !inContainer(traits);

/**
 * Phases of every sequence. A row that only some machines have carries a `when`. `"unimplemented"` marks sequences
 * that are refused.
 */
const sequences: Readonly<Record<SequenceName, readonly Row[] | "unimplemented">> = {
  initialize: [
    phase("machined", ["startApid", "startMachined", "startContainerd"], inContainer),
    phase(
      "earlyServices",
      ["startUdevd", "startMachined", "startApid", "startSyslogd", "startContainerd"],
      hasHardware,
    ),
    phase("meta", ["reloadMeta"], hasHardware),
    phase("dashboard", ["startDashboard"], (traits) => hasHardware(traits) && traits.dashboardDisabled !== true),
    phase("config", ["loadConfig"]),
  ],
  // A container is installed by whoever starts it.
  install: [
    phase("env", ["setUserEnvVars"], hasHardware),
    phase("install", ["install"], hasHardware),
    phase("meta", ["reloadMeta"], hasHardware),
    phase("saveMeta", ["flushMeta"], hasHardware),
  ],
  boot: [
    phase("memorySizeCheck", ["memorySizeCheck"], inContainer),
    phase("diskSizeCheck", ["diskSizeCheck"], inContainer),
    phase("env", ["setUserEnvVars", "waitForCARoots"]),
    phase("sharedFilesystems", ["setupSharedFilesystems"], inContainer),
    phase("ephemeral", ["mountEphemeralPartition"]),
    phase("userSetup", ["writeUserFiles"]),
    phase("startEverything", ["startAllServices"]),
  ],
  reboot: [
    phase("cleanup", ["stopAllPods"], (_traits, request) => request.force !== true),
    phase("stopEverything", ["stopAllServices"], (_traits, request) => request.force !== true),
    phase("volumeFinalize", ["teardownLifecycle"]),
    phase("endProcesses", ["endProcesses"]),
    phase("reboot", ["reboot"]),
  ],
  shutdown: [
    phase("drain", ["cordonAndDrainNode"], (_traits, request) => request.force !== true),
    phase("cleanup", ["stopAllPods"]),
    phase("stopEverything", ["stopAllServices"]),
    phase("volumeFinalize", ["teardownLifecycle"]),
    phase("endProcesses", ["endProcesses"]),
    phase("shutdown", ["shutdown"]),
  ],
  // A container leaves the cluster and wipes its volumes, so that its name can be used again.
  reset: [
    phase("drain", ["cordonAndDrainNode"], isGraceful),
    phase("cleanup", ["removeAllPods"], isGraceful),
    phase("cleanup", ["stopAllPods"], (traits, request) => !isGraceful(traits, request)),
    phase("leave", ["leaveEtcd"], (traits, request) => isGraceful(traits, request) && hasEtcd(traits)),
    phase("preReset", ["sendResetSignal"]),
    phase("stopEverything", ["stopAllServices"]),
    phase("volumeFinalize", ["teardownLifecycle"]),
    phase("endProcesses", ["endProcesses"]),
    phase("reset", ["resetVolumes"]),
    phase("reboot", ["reboot"], (_traits, request) => request.reboot === true),
    phase("shutdown", ["shutdown"], (_traits, request) => request.reboot !== true),
  ],
  // The new version is on the disk before anything is stopped: when that fails, the machine goes on as it was.
  upgrade: [
    phase("upgrade", ["upgrade"], hasHardware),
    phase("drain", ["cordonAndDrainNode"], hasHardware),
    phase("cleanup", ["stopAllPods"], hasHardware),
    phase("stopEverything", ["stopAllServices"], hasHardware),
    phase("volumeFinalize", ["teardownLifecycle"], hasHardware),
    phase("endProcesses", ["endProcesses"], hasHardware),
    phase("reboot", ["reboot"], hasHardware),
  ],
  stageUpgrade: "unimplemented",
  maintenanceUpgrade: [
    phase("upgrade", ["upgrade"], hasHardware),
    phase("stopEverything", ["stopAllServices"], hasHardware),
    phase("volumeFinalize", ["teardownLifecycle"], hasHardware),
    phase("endProcesses", ["endProcesses"], hasHardware),
    phase("reboot", ["reboot"], hasHardware),
  ],
  emergencyVolumeCleanup: "unimplemented",
};

/**
 * Lists the phases of a sequence on this machine, for this request.
 * @throws {OsError} `sequence/unimplemented`
 */
export function planSequence(
  name: SequenceName,
  traits: MachineTraits,
  request: SequenceRequest = {},
): readonly Phase[] {
  const rows = sequences[name];
  if (rows === "unimplemented") {
    throw new OsError({
      kind: "unimplemented",
      code: "sequence/unimplemented",
      message: `Cannot run sequence "${name}" in ${traits.mode} mode: not implemented`,
      next: "talosctl version",
    });
  }
  return rows
    .filter((row) => row.when === undefined || row.when(traits, request))
    .map((row) => ({ name: row.name, tasks: row.tasks }));
}
