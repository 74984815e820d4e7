import type { Log } from "@talos-ts/base";
import { createLogWriter } from "./log-writer.ts";
import { keepMemorySmall } from "./release-memory.ts";

/** Describes what a daemon gets from `runDaemon`. */
export interface DaemonContext {
  /** Aborts when the service manager asks the daemon to end. */
  readonly signal: AbortSignal;
  /** Writes to the daemon's log. */
  readonly log: Log;
}

/**
 * The life of a daemon's process: until it is told to end (0) or fails (1). Never returns.
 *
 * @param name Name of the process in lists of processes and sockets, at most 15 characters.
 */
export async function runDaemon(name: string, run: (context: DaemonContext) => Promise<void>): Promise<never> {
  process.title = name;
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  // By then it serves; what starting took is not needed again.
  keepMemorySmall(5000);
  const { log, flush } = createLogWriter({ write: (text) => void process.stdout.write(text) });
  // However the process ends, except by SIGKILL.
  process.once("exit", flush);
  try {
    await run({ signal: stop.signal, log });
    process.exit(0);
  } catch (err) {
    flush();
    console.error(err);
    process.exit(1);
  }
}
