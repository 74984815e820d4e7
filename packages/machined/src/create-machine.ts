import type { Clock } from "@talos-ts/base";
import { createInMemoryState, createNamespacedState, createResource, createRuntime, wrapCore } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import { machineTypeOf } from "@talos-ts/machinery/config";
import { VolumeLifecycle } from "@talos-ts/machinery/resources/block";
import { createDiskBootLoader } from "./boot-loader/disk-boot-loader.ts";
import { releaseVolumes, volumesCondition } from "./conditions/volumes.ts";
import { createConfigStore } from "./config/state-config-store.ts";
import { allControllers } from "./controllers/index.ts";
import { resolveWithSystem } from "./controllers/k8s/static-endpoint.ts";
import { kernelHostname } from "./controllers/network/hostname-spec.ts";
import { dashboardArguments } from "./dashboard/dashboard-arguments.ts";
import { createEventBus } from "./events/event-bus.ts";
import { createMachineImages } from "./images/machine-images.ts";
import type { MachineLogging } from "./logs/machine-logging.ts";
import { createMetaStore } from "./meta/create-meta-store.ts";
import type { Platform } from "./platform.ts";
import type { PowerControl } from "./power.ts";
import { registerResources } from "./register-resources.ts";
import type { Sequencer } from "./sequence.ts";
import { createSequencer } from "./sequencer/sequencer.ts";
import { createTasks } from "./sequencer/tasks/index.ts";
import { createProcessRegistrar } from "./services/process-registrar.ts";
import { publishServiceEvents } from "./services/publish-events.ts";
import { createServiceManager } from "./services/service-manager.ts";
import { createStartServices } from "./services/start-services.ts";

export interface MachineOptions {
  readonly platform: Platform;
  readonly linux: Linux;
  readonly clock: Clock;
  readonly power: PowerControl;
  readonly logging: MachineLogging;
}

/** A machine that is put together. */
export interface ComposedMachine {
  readonly sequencer: Sequencer;
  /** Registers resources and controllers and starts the controller runtime. To be called once, before any sequence. */
  start(): Promise<void>;
}

/** Composes the machine; nothing runs yet. */
export function createMachine({ platform, linux, clock, power, logging }: MachineOptions): ComposedMachine {
  const { logs, messages, logger, runtimeLogger } = logging;
  const root = "";
  const state = wrapCore(createNamespacedState(() => createInMemoryState()));
  const runtime = createRuntime({ state, logger: runtimeLogger });
  const events = createEventBus();
  const config = createConfigStore(state, clock);
  const meta = createMetaStore(state);
  const services = createServiceManager({
    clock,
    volumes: {
      condition: (id, volumes) => volumesCondition(state, id, volumes),
      release: (id, volumes) => releaseVolumes({ state, clock }, id, volumes),
    },
  });
  const images = createMachineImages({ state, logger, clock, root, config });
  const bootLoader = createDiskBootLoader({ state, mounts: linux.mounts, root });
  const parts = {
    platform,
    linux,
    clock,
    state,
    runtime,
    events,
    logs,
    messages,
    logger,
    services,
    config,
    meta,
    images,
    bootLoader,
    root,
  };
  const registerProcess = createProcessRegistrar(parts);
  const startServices = createStartServices({ ...parts, registerProcess });
  const sequencer = createSequencer({
    events,
    clock,
    traits: async () => {
      const active = await config.current();
      return {
        mode: platform.mode,
        dashboardDisabled: dashboardArguments(await linux.procfs.commandLine()).disabled,
        ...(active !== undefined && { type: machineTypeOf(active) }),
      };
    },
    tasks: createTasks({ ...parts, startServices, power }),
    log: (message) => logger.info(message),
  });
  const controllerDependencies = {
    ...parts,
    resolveHost: resolveWithSystem,
    setHostname: platform.mode === "container" ? undefined : kernelHostname(linux),
  };

  return {
    sequencer,
    async start() {
      await registerResources(state);
      await state.create(createResource(VolumeLifecycle, VolumeLifecycle.id, VolumeLifecycle.spec()));
      runtime.register(...allControllers(controllerDependencies));
      runtime.start();
      publishServiceEvents(parts);
    },
  };
}
