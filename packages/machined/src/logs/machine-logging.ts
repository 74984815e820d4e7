import type { Logger } from "@talos-ts/cosi";
import { createLogStore, type LogStore } from "./log-store.ts";
import { consoleSink, createLogger, detailSink, quietControllers } from "./logger.ts";

/** Logs of a machine and the loggers that write them. */
export interface MachineLogging {
  readonly logs: LogStore;
  /** Writes to the console and to the log `machined`. */
  readonly logger: Logger;
  /** Writes everything to the log `controller-runtime`, and what matters to the console. */
  readonly runtimeLogger: Logger;
}

/** @param writeConsole Gets every console line, with its line end. */
export function createMachineLogging(writeConsole: (line: string) => void): MachineLogging {
  const logs = createLogStore();
  const machinedLog = logs.open("machined");
  const runtimeLog = logs.open("controller-runtime");
  const console = consoleSink((line) => {
    machinedLog.write(line);
    writeConsole(line);
  });
  const runtimeSinks = [quietControllers(console), detailSink((line) => runtimeLog.write(line))];
  return {
    logs,
    logger: createLogger([console]),
    runtimeLogger: createLogger(runtimeSinks, { component: "controller-runtime" }),
  };
}
