import type { MachineTraits, Phase, SequenceName, SequenceRequest, TaskName } from "../sequence.ts";

/** A row of a sequence: a phase, and when it is there at all. */
interface Row extends Phase {
  readonly when?: (traits: MachineTraits, request: SequenceRequest) => boolean;
}

function phase(name: string, tasks: readonly TaskName[], when?: Row["when"]): Row {
  return when === undefined ? { name, tasks } : { name, tasks, when };
}

/**
 * Every sequence of a machine in container mode, phase by phase. The same table grows the rows of real machines once there is
 * an installer: a row that needs hardware carries a `when`.
 */
const sequences: Partial<Record<SequenceName, readonly Row[]>> = {
  initialize: [phase("machined", ["startApid", "startMachined", "startContainerd"]), phase("config", ["loadConfig"])],
  install: [],
  boot: [
    phase("memorySizeCheck", ["memorySizeCheck"]),
    phase("diskSizeCheck", ["diskSizeCheck"]),
    phase("env", ["setUserEnvVars", "waitForCARoots"]),
    phase("sharedFilesystems", ["setupSharedFilesystems"], (traits) => traits.mode === "container"),
    phase("ephemeral", ["mountEphemeralPartition"]),
    phase("userSetup", ["writeUserFiles"]),
    phase("startEverything", ["startAllServices"]),
  ],
  reboot: [
    phase("stopEverything", ["stopAllServices"], (_traits, request) => request.force !== true),
    phase("volumeFinalize", ["teardownLifecycle"]),
    phase("endProcesses", ["endProcesses"]),
    phase("reboot", ["reboot"]),
  ],
  shutdown: [
    phase("stopEverything", ["stopAllServices"]),
    phase("volumeFinalize", ["teardownLifecycle"]),
    phase("endProcesses", ["endProcesses"]),
    phase("shutdown", ["shutdown"]),
  ],
  // A container says goodbye to the cluster and wipes what it can, so that its name can be used again.
  reset: [
    phase("preReset", ["sendResetSignal"]),
    phase("stopEverything", ["stopAllServices"]),
    phase("volumeFinalize", ["teardownLifecycle"]),
    phase("endProcesses", ["endProcesses"]),
    phase("reset", ["resetVolumes"]),
    phase("reboot", ["reboot"], (_traits, request) => request.reboot === true),
    phase("shutdown", ["shutdown"], (_traits, request) => request.reboot !== true),
  ],
  upgrade: [],
  stageUpgrade: [],
  maintenanceUpgrade: [],
  emergencyVolumeCleanup: [],
};

/** The phases of a sequence on this machine, for this request. */
export function planSequence(
  name: SequenceName,
  traits: MachineTraits,
  request: SequenceRequest = {},
): readonly Phase[] {
  return (sequences[name] ?? [])
    .filter((row) => row.when === undefined || row.when(traits, request))
    .map((row) => ({ name: row.name, tasks: row.tasks }));
}
