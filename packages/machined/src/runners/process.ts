import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { setPriority } from "node:os";
import { describeError, OsError, systemClock, type Clock } from "@talos-ts/base";
import type { LogRing } from "../logs/log-ring.ts";
import type { Runner } from "../runner.ts";
import { exitFailure } from "./exit-failure.ts";

export interface ProcessOptions {
  readonly id: string;
  /** Program and arguments. */
  readonly args: readonly string[];
  /** The whole environment, asked for at every start: nothing is inherited. */
  readonly env?: () => Promise<Readonly<Record<string, string>>>;
  /** Device that is standard input and output of the process; its log then has standard error alone. @default no input, output to the log */
  readonly terminal?: string;
  /** User of the process, which then has no capability and can get none. @default the user of this process */
  readonly user?: ProcessUser;
  /** Nice value, −20 to 19; higher runs later (setpriority(2)). @default that of this process */
  readonly priority?: number;
  readonly log: LogRing;
  /** Called as soon as the process exists: cgroup, OOM score, registration of its PID. Disposed when it is gone. */
  readonly adopt?: (pid: number) => Disposable;
  /** Between SIGTERM and SIGKILL. @default {10_000} */
  readonly stopTimeoutMs?: number;
  readonly clock?: Clock;
}

export interface ProcessUser {
  readonly uid: number;
  readonly gid: number;
}

/** Program of util-linux that runs another one with fewer privileges. */
const setpriv = "/usr/bin/setpriv";

/** Arguments with which a program becomes another user for good: no capability, not even by a program that has some (capabilities(7)). */
function confined({ uid, gid }: ProcessUser, args: readonly string[]): readonly string[] {
  const capabilities = ["--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", "--no-new-privs"];
  return [
    setpriv,
    `--reuid=${String(uid)}`,
    `--regid=${String(gid)}`,
    "--clear-groups",
    ...capabilities,
    "--",
    ...args,
  ];
}

/** Runs a service as a process of the host, in a session of its own so that signals to us do not reach it. */
export function processRunner(options: ProcessOptions): Runner {
  const { args, log, stopTimeoutMs = 10_000, clock = systemClock } = options;
  const [program = "", ...rest] = options.user === undefined ? args : confined(options.user, args);
  const text = `Process([${args.map((arg) => JSON.stringify(arg)).join(" ")}])`;

  async function started(): Promise<ChildProcess> {
    const env = (await options.env?.()) ?? {};
    using terminal = openTerminal(options.terminal);
    const child = spawn(program, rest, {
      env: { ...env },
      stdio: [terminal?.fd ?? "ignore", terminal?.fd ?? "pipe", "pipe"],
      detached: true,
    });
    // Before it has threads: each has a value of its own, and takes over that of the one that starts it.
    if (options.priority !== undefined && child.pid !== undefined) setPriority(child.pid, options.priority);
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

/** Opens the terminal of a process; it shall not control this one. @throws OsError `service/terminal` */
function openTerminal(path: string | undefined): (Disposable & { readonly fd: number }) | undefined {
  if (path === undefined) return undefined;
  try {
    const fd = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
    return { fd, [Symbol.dispose]: () => closeSync(fd) };
  } catch (err) {
    const message = `error starting process: Cannot open terminal "${path}": ${describeError(err)}`;
    throw new OsError({ kind: "unavailable", code: "service/terminal", message, cause: err });
  }
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
