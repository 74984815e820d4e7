import { spawn, type ChildProcess } from "node:child_process";
import { OsError, systemClock, type Clock } from "@talos-ts/base";
import type { LogRing } from "../logs/log-ring.ts";
import type { Runner } from "../runner.ts";
import { exitFailure } from "./exit-failure.ts";

export interface ProcessOptions {
  readonly id: string;
  /** Program and arguments. */
  readonly args: readonly string[];
  /** The whole environment, asked for at every start: nothing is inherited. */
  readonly env?: () => Promise<Readonly<Record<string, string>>>;
  readonly log: LogRing;
  /** Called as soon as the process exists: cgroup, OOM score, registration of its PID. Disposed when it is gone. */
  readonly adopt?: (pid: number) => Disposable;
  /** Between SIGTERM and SIGKILL. @default {10_000} */
  readonly stopTimeoutMs?: number;
  readonly clock?: Clock;
}

/** Runs a service as a process of the host, in a session of its own so that signals to us do not reach it. */
export function processRunner(options: ProcessOptions): Runner {
  const { args, log, stopTimeoutMs = 10_000, clock = systemClock } = options;
  const [program = "", ...rest] = args;
  const text = `Process([${args.map((arg) => JSON.stringify(arg)).join(" ")}])`;

  async function started(): Promise<ChildProcess> {
    const env = (await options.env?.()) ?? {};
    const child = spawn(program, rest, {
      env: { ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (err) =>
        reject(
          new OsError({
            ...startFailure(program),
            cause: err,
            details: { errno: (err as NodeJS.ErrnoException).code },
          }),
        ),
      );
    });
    return child;
  }

  return {
    describe: () => text,
    async run(report, signal) {
      const child = await started();
      const ended = new Promise<void>((resolve, reject) => {
        child.once("close", (code, killedBy) => {
          if (code === 0 || (signal.aborted && killedBy !== null)) resolve();
          else {
            const signal = killedBy ?? undefined;
            reject(exitFailure({ what: "process", id: options.id, code, ...(signal && { signal }) }, log));
          }
        });
      });
      child.stdout?.on("data", (chunk: Buffer) => log.write(chunk));
      child.stderr?.on("data", (chunk: Buffer) => log.write(chunk));
      using _adopted = options.adopt?.(child.pid ?? 0);
      report("running", `Process ${text} started with PID ${String(child.pid)}`);

      const stop = (): void => {
        report("stopping", `Sending SIGTERM to ${text}`);
        child.kill("SIGTERM");
        void clock.sleep(stopTimeoutMs, gone.signal).then(
          () => {
            report("stopping", `Sending SIGKILL to ${text}`);
            child.kill("SIGKILL");
          },
          () => undefined,
        );
      };
      const gone = new AbortController();
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      try {
        await ended;
      } finally {
        gone.abort();
        signal.removeEventListener("abort", stop);
      }
    },
  };
}

function startFailure(program: string): {
  readonly kind: "unavailable";
  readonly code: string;
  readonly message: string;
} {
  return {
    kind: "unavailable",
    code: "service/cannot-start",
    message: `error starting process: Cannot run "${program}"`,
  };
}
