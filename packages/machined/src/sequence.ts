/** The things a machine can be told to do as a whole. */
export type SequenceName =
  | "initialize"
  | "install"
  | "boot"
  | "reboot"
  | "shutdown"
  | "reset"
  | "upgrade"
  | "stageUpgrade"
  | "maintenanceUpgrade"
  | "emergencyVolumeCleanup";

/** Tasks of one phase run at once; phases run one after the other. */
export interface Phase {
  readonly name: string;
  readonly tasks: readonly TaskName[];
}

export type TaskName =
  | "startApid"
  | "startMachined"
  | "startContainerd"
  | "loadConfig"
  | "memorySizeCheck"
  | "diskSizeCheck"
  | "setUserEnvVars"
  | "waitForCARoots"
  | "setupSharedFilesystems"
  | "mountEphemeralPartition"
  | "writeUserFiles"
  | "startAllServices"
  | "stopAllServices"
  | "sendResetSignal"
  | "teardownLifecycle"
  | "endProcesses"
  | "resetVolumes"
  | "reboot"
  | "shutdown";

/** What was asked for along with a sequence; each sequence reads only its own part. */
export interface SequenceRequest {
  /** Reboot: do not stop anything first. */
  readonly force?: boolean;
  /** Reset: say goodbye to the cluster first. */
  readonly graceful?: boolean;
  /** Reset: start again afterwards instead of powering off. */
  readonly reboot?: boolean;
  readonly actorId?: string;
}

/** What the tables need to know of the machine. */
export interface MachineTraits {
  readonly mode: "container" | "metal" | "cloud";
}
