import type { ImageNamespace } from "./images/namespaces.ts";
import type { PlatformMode } from "@talos-ts/machinery/constants";
import type { MachineTypeName } from "@talos-ts/machinery/resources/enums";

/** Everything a machine can be told to do as a whole. */
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

/** Tasks that run at the same time; phases run one after the other. */
export interface Phase {
  readonly name: string;
  readonly tasks: readonly TaskName[];
}

/** Names of tasks, as events and logs show them. `sequencer/tasks/index.ts` has the task behind each. */
export type TaskName =
  | "startApid"
  | "startMachined"
  | "startContainerd"
  | "reloadMeta"
  | "loadConfig"
  | "memorySizeCheck"
  | "diskSizeCheck"
  | "install"
  | "upgrade"
  | "flushMeta"
  | "setUserEnvVars"
  | "waitForCARoots"
  | "setupSharedFilesystems"
  | "mountEphemeralPartition"
  | "writeUserFiles"
  | "startSyslogd"
  | "startUdevd"
  | "startDashboard"
  | "startAllServices"
  | "cordonAndDrainNode"
  | "stopAllPods"
  | "removeAllPods"
  | "leaveEtcd"
  | "stopAllServices"
  | "sendResetSignal"
  | "teardownLifecycle"
  | "endProcesses"
  | "resetVolumes"
  | "reboot"
  | "shutdown";

/** Parameters of a sequence; each sequence reads only its own. */
export interface SequenceRequest {
  /** Reboot: do not stop services first. Shutdown: do not drain the node first. */
  readonly force?: boolean;
  /** Reset: leave the cluster first. */
  readonly graceful?: boolean;
  /** Reset: reboot afterwards instead of powering off. */
  readonly reboot?: boolean;
  /** Reset: labels of the partitions to wipe. @default the whole system disk */
  readonly partitions?: readonly string[];
  /** Upgrade: the installer image. */
  readonly image?: string;
  /** Upgrade: where the image is kept. @default {"system"} */
  readonly imageNamespace?: ImageNamespace;
  /** Id of the API call that started the sequence; its events carry it. */
  readonly actorId?: string;
}

/** Facts about the machine that decide which phases a sequence has. */
export interface MachineTraits {
  readonly mode: PlatformMode;
  /** @default unknown: no configuration yet */
  readonly type?: MachineTypeName;
  /** True with `talos.dashboard.disabled=1` on the kernel's command line. @default {false} */
  readonly dashboardDisabled?: boolean;
}

/** Describes what a task gets when it runs. */
export interface TaskContext {
  readonly signal: AbortSignal;
  readonly request: SequenceRequest;
  readonly log: (message: string) => void;
  /** The sequencer that runs the task, for services that start sequences on behalf of API callers. */
  readonly sequencer: Sequencer;
}

export type Task = (context: TaskContext) => Promise<void>;

/** Runs sequences, one at a time. */
export interface Sequencer {
  /**
   * Runs a sequence to its end. While another one runs, it is replaced if the take-over table allows (or `takeOver` forces) it.
   * @throws {OsError} `sequence/locked`, `sequence/unimplemented`
   */
  run(name: SequenceName, request?: SequenceRequest, options?: { readonly takeOver?: boolean }): Promise<void>;
  /** The sequence that runs now. */
  readonly running: SequenceName | undefined;
}
