import type { Logger } from "@talos-ts/cosi";
import { createLogStore, type LogStore } from "./log-store.ts";
import { createLogRing, type LogRing } from "./log-ring.ts";
import {
  consoleSink,
  createLogger,
  detailSink,
  kernelLogSink,
  messageSink,
  quietControllers,
  type Sink,
} from "./logger.ts";

/** Logs of a machine and the loggers that write them. */
export interface MachineLogging {
  readonly logs: LogStore;
  /** Lines of the console in the form of the kernel log, for a machine in a container, which cannot write to that. Empty elsewhere. */
  readonly messages: LogRing;
  /** Writes to the console and to the log `machined`. */
  readonly logger: Logger;
  /** Writes everything to the log `controller-runtime`, and what matters to the console. */
  readonly runtimeLogger: Logger;
}

export interface MachineLoggingOptions {
  /** Gets every console line, with its line end. @default nobody */
  readonly writeConsole?: (line: string) => void;
  /** Gets every line for the kernel log, without its line end; the kernel shows them on its console. @default `messages` keeps them */
  readonly writeKernelLog?: (line: string) => void;
}

export function createMachineLogging({ writeConsole, writeKernelLog }: MachineLoggingOptions): MachineLogging {
  const logs = createLogStore();
  const machinedLog = logs.open("machined");
  const runtimeLog = logs.open("controller-runtime");
  const messages = createLogRing();
  const sinks = [
    consoleSink((line) => {
      machinedLog.write(line);
      writeConsole?.(line);
    }),
    writeKernelLog === undefined ? messageSink((line) => messages.write(line)) : kernelLogSink(writeKernelLog),
  ];
  const console: Sink = (record) => {
    for (const sink of sinks) sink(record);
  };
  const runtimeSinks = [quietControllers(console), detailSink((line) => runtimeLog.write(line))];
  return {
    logs,
    messages,
    logger: createLogger([console]),
    runtimeLogger: createLogger(runtimeSinks, { component: "controller-runtime" }),
  };
}
