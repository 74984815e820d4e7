import { systemClock } from "@talos-ts/base";
import { createInMemoryState, createNamespacedState, createRuntime, wrapCore } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import { releaseVolumes, volumesCondition } from "./conditions/volumes.ts";
import { createConfigStore } from "./config/config-store.ts";
import { createEventBus } from "./events/event-bus.ts";
import { createMachineImages } from "./images/machine-images.ts";
import { createLogStore } from "./logs/log-store.ts";
import { consoleSink, createLogger, detailSink, quietControllers } from "./logs/logger.ts";
import type { Machine } from "./machine.ts";
import type { Platform } from "./platform.ts";
import { createSequencer } from "./sequencer/sequencer.ts";
import { createTasks, type PowerControl } from "./sequencer/tasks/index.ts";
import { createServiceManager } from "./services/service-manager.ts";

export interface MachineOptions {
  readonly platform: Platform;
  readonly linux: Linux;
  readonly power: PowerControl;
  /** Where console lines go besides the log of machined. */
  readonly console: (line: string) => void;
}

/** Puts the parts together; nothing runs yet. */
export function createMachine(options: MachineOptions): Machine {
  const { platform, linux } = options;
  const clock = systemClock;
  const logs = createLogStore();
  const machinedLog = logs.open("machined");
  const write = (line: string): void => {
    machinedLog.write(line);
    options.console(line);
  };
  const console = consoleSink(write);
  const logger = createLogger([console]);
  const detail = logs.open("controller-runtime");
  const runtimeSinks = [quietControllers(console), detailSink((line) => detail.write(line))];
  const state = wrapCore(createNamespacedState(() => createInMemoryState()));
  const events = createEventBus();
  const runtime = createRuntime({ state, logger: createLogger(runtimeSinks, { component: "controller-runtime" }) });
  const services = createServiceManager({
    volumes: {
      condition: (id, volumes) => volumesCondition(state, id, volumes),
      release: (id, volumes) => releaseVolumes(state, id, volumes),
    },
  });
  const config = createConfigStore(state);
  const images = createMachineImages({ state, logger, clock, root: "" });
  const parts = { platform, linux, clock, state, runtime, events, logs, logger, services, config, images, root: "" };
  // Tasks reach the machine, and the machine has the sequencer that runs them: the last knot is tied late.
  const machine: Machine = { ...parts, sequencer: undefined as unknown as Machine["sequencer"] };
  const sequencer = createSequencer({
    events,
    traits: () => ({ mode: platform.mode }),
    tasks: createTasks(machine, options.power),
    log: (message) => logger.info(message),
  });
  return Object.assign(machine, { sequencer });
}
