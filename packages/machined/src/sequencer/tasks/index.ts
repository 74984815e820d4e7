import type { Clock } from "@talos-ts/base";
import type { Logger, State } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import type { PlatformMode } from "@talos-ts/machinery/constants";
import type { BootLoader } from "../../boot-loader.ts";
import { openImageAssets } from "../../boot-loader/image-assets.ts";
import { openMediumAssets } from "../../boot-loader/medium-assets.ts";
import type { ConfigStore } from "../../config-store.ts";
import type { ImageStore } from "../../images/image-store.ts";
import type { MetaStore } from "../../meta-store.ts";
import type { PowerControl } from "../../power.ts";
import type { Task, TaskName } from "../../sequence.ts";
import type { ServiceManager } from "../../services/service-manager.ts";
import type { StartServices } from "../../services/start-services.ts";
import { cordonAndDrainNode } from "./cordon-and-drain-node.ts";
import { install } from "./install.ts";
import { leaveEtcd } from "./leave-etcd.ts";
import { loadConfig } from "./load-config.ts";
import { mountEphemeralPartition } from "./mount-ephemeral-partition.ts";
import { reloadMeta } from "./reload-meta.ts";
import { resetVolumes } from "./reset-volumes.ts";
import { sendResetSignal } from "./send-reset-signal.ts";
import { setUserEnvVars } from "./set-user-env-vars.ts";
import { setupSharedFilesystems } from "./setup-shared-filesystems.ts";
import { startAllServices } from "./start-all-services.ts";
import { startDashboard } from "./start-dashboard.ts";
import { startService } from "./start-service.ts";
import { stopAllPods } from "./stop-all-pods.ts";
import { teardownLifecycle } from "./teardown-lifecycle.ts";
import { waitForCaRoots } from "./wait-for-ca-roots.ts";
import { upgrade } from "./upgrade.ts";
import { writeUserFiles } from "./write-user-files.ts";

/** Dependencies of all tasks; each task declares its part. */
export interface TaskDependencies {
  readonly linux: Linux;
  readonly platform: { readonly mode: PlatformMode };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly state: State;
  readonly services: ServiceManager;
  readonly startServices: StartServices;
  readonly config: ConfigStore;
  readonly meta: MetaStore;
  readonly images: ImageStore;
  readonly bootLoader: BootLoader;
  readonly power: PowerControl;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}

/** Creates every task by name. */
export function createTasks(dependencies: TaskDependencies): Readonly<Record<TaskName, Task>> {
  const { services, power, linux, meta } = dependencies;
  const sources = { ...dependencies, mounts: linux.mounts };
  const teardown = teardownLifecycle(dependencies);
  /** Starts the machine anew from its disk. */
  const restart: Task = async (context) => {
    // What was written before there was a disk for it.
    await meta.flush(context.signal);
    await services.shutdown();
    await teardown(context);
    await power.quiesce();
    await power.reboot();
  };
  return {
    startApid: startService(dependencies, "apid", { wait: false }),
    startMachined: startService(dependencies, "machined", { wait: true }),
    startContainerd: startService(dependencies, "containerd", { wait: true }),
    startDashboard: startDashboard(dependencies),
    startSyslogd: startService(dependencies, "syslogd", { wait: false }),
    startUdevd: startService(dependencies, "udevd", { wait: false }),
    reloadMeta: reloadMeta(dependencies),
    loadConfig: loadConfig(dependencies),
    memorySizeCheck: async ({ log }) => log("skipping memory size check in the container"),
    diskSizeCheck: async ({ log }) => log("skipping disk size check in the container"),
    install: install({
      ...dependencies,
      restart,
      openMedium: () => openMediumAssets(sources),
      // There is no disk yet that could keep it.
      openImage: (reference, { log: tell, signal }) =>
        openImageAssets(sources, reference, { namespace: "inmem", tell, signal }),
    }),
    upgrade: upgrade({
      ...dependencies,
      openImage: (reference, namespace, { log: tell, signal }) =>
        openImageAssets(sources, reference, { namespace, tell, signal }),
    }),
    flushMeta: ({ signal }) => meta.flush(signal),
    setUserEnvVars: setUserEnvVars(dependencies),
    waitForCARoots: waitForCaRoots(dependencies),
    setupSharedFilesystems: setupSharedFilesystems(dependencies),
    mountEphemeralPartition: mountEphemeralPartition(dependencies),
    writeUserFiles: writeUserFiles(dependencies),
    startAllServices: startAllServices(dependencies),
    cordonAndDrainNode: cordonAndDrainNode(dependencies),
    stopAllPods: stopAllPods(dependencies),
    removeAllPods: stopAllPods(dependencies, { remove: true }),
    leaveEtcd: leaveEtcd(dependencies),
    stopAllServices: () => services.shutdown(),
    sendResetSignal: sendResetSignal(dependencies),
    teardownLifecycle: teardown,
    endProcesses: () => power.quiesce(),
    resetVolumes: resetVolumes(dependencies),
    reboot: () => power.reboot(),
    shutdown: () => power.powerOff(),
  };
}
