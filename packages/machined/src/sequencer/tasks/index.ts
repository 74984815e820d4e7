import type { Machine } from "../../machine.ts";
import type { TaskName } from "../../sequence.ts";
import type { Task } from "../sequencer.ts";
import { loadConfig } from "./load-config.ts";
import { mountEphemeralPartition } from "./mount-ephemeral-partition.ts";
import { resetVolumes } from "./reset-volumes.ts";
import { sendResetSignal } from "./send-reset-signal.ts";
import { setUserEnvVars } from "./set-user-env-vars.ts";
import { setupSharedFilesystems } from "./setup-shared-filesystems.ts";
import { startAllServices } from "./start-all-services.ts";
import { startService } from "./start-service.ts";
import { teardownLifecycle } from "./teardown-lifecycle.ts";
import { waitForCaRoots } from "./wait-for-ca-roots.ts";
import { writeUserFiles } from "./write-user-files.ts";

/** How the process that is the machine ends. */
export interface PowerControl {
  /** Ends every other process and takes away what was mounted since the start. */
  quiesce(): Promise<void>;
  /** Starts the machine anew; does not return. */
  reboot(): Promise<void>;
  /** Ends the machine; does not return. */
  powerOff(): Promise<void>;
}

/** Every task by name. */
export function createTasks(machine: Machine, power: PowerControl): Readonly<Record<TaskName, Task>> {
  return {
    startApid: startService(machine, "apid", { wait: false }),
    startMachined: startService(machine, "machined", { wait: true }),
    startContainerd: startService(machine, "containerd", { wait: true }),
    loadConfig: loadConfig(machine),
    memorySizeCheck: async ({ log }) => log("skipping memory size check in the container"),
    diskSizeCheck: async ({ log }) => log("skipping disk size check in the container"),
    setUserEnvVars: setUserEnvVars(machine),
    waitForCARoots: waitForCaRoots(machine),
    setupSharedFilesystems: setupSharedFilesystems(machine),
    mountEphemeralPartition: mountEphemeralPartition(machine),
    writeUserFiles: writeUserFiles(machine),
    startAllServices: startAllServices(machine),
    stopAllServices: () => machine.services.shutdown(),
    sendResetSignal: sendResetSignal(machine),
    teardownLifecycle: teardownLifecycle(machine),
    endProcesses: () => power.quiesce(),
    resetVolumes: resetVolumes(machine),
    reboot: () => power.reboot(),
    shutdown: () => power.powerOff(),
  };
}
