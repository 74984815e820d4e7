import type { ServiceState } from "./service-state.ts";

/** Reports what a running service does, as lines of its event history. */
export type Report = (state: ServiceState, message: string) => void;

/**
 * Runs one service in some way: a process, a container, a function in this process.
 *
 * A runner is used once: `run` resolves when the service ended by itself, rejects when it failed, and ends promptly (after a
 * graceful stop, then a kill) once the signal aborts.
 */
export interface Runner {
  /** As in `Process(["/bin/containerd"])`, `Containerd(apid)`, `Goroutine(machined)`. */
  describe(): string;
  run(report: Report, signal: AbortSignal): Promise<void>;
  /** Kills what runs now, which a policy may start again; does nothing when nothing runs. @default not possible */
  interrupt?(): void;
}
