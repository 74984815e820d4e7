import type { MachineTraits, Phase, SequenceName, SequenceRequest, TaskName } from "./sequence.ts";

/** A row of a sequence: a phase, and when it is there at all. */
interface Row extends Phase {
  readonly when?: (traits: MachineTraits, request: SequenceRequest) => boolean;
}

function phase(name: string, tasks: readonly TaskName[], when?: Row["when"]): Row {
  return when === undefined ? { name, tasks } : { name, tasks, when };
}

const drains: Row["when"] = (traits, request) => request.force !== true && !traits.skipNodeRegistration;
const graceful: Row["when"] = (_traits, request) => request.graceful === true;

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
    phase("dbus", ["startDBus"]),
    phase("sharedFilesystems", ["setupSharedFilesystems"], (traits) => traits.mode === "container"),
    phase("ephemeral", ["mountEphemeralPartition"]),
    phase("userSetup", ["writeUserFiles"]),
    phase("startEverything", ["startAllServices"]),
  ],
  reboot: [
    phase("cleanup", ["stopAllPods"], (_traits, request) => request.force !== true),
    phase("dbus", ["stopDBus"], (_traits, request) => request.force !== true),
    phase("stopEverything", ["stopAllServices"], (_traits, request) => request.force !== true),
    phase("reboot", ["reboot"]),
  ],
  shutdown: [
    phase("storeShutdown", ["storeShutdownEmergency"]),
    phase("drain", ["cordonAndDrainNode"], drains),
    phase("cleanup", ["stopAllPods"]),
    phase("dbus", ["stopDBus"]),
    phase("stopEverything", ["stopAllServices"]),
    phase("shutdown", ["shutdown"]),
  ],
  // A container leaves etcd and discovery and wipes what it can, so that its name can be used again.
  reset: [
    phase(
      "drain",
      ["cordonAndDrainNode"],
      (traits, request) => request.graceful === true && !traits.skipNodeRegistration,
    ),
    phase("cleanup", ["stopAllPods"]),
    phase("dbus", ["stopDBus"]),
    phase("leave", ["leaveEtcd"], (traits, request) => graceful(traits, request) && traits.controlPlane),
    phase("preReset", ["sendResetSignal"]),
    phase("stopEverything", ["stopAllServices"]),
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
