import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isKind, OsError, systemClock, type Clock } from "@talos-ts/base";
import type { ContainerdClient } from "../containerd/client.ts";
import { readFifo } from "../containerd/fifo.ts";
import type { OciSpec } from "../containerd/oci-spec.ts";
import type { LogRing } from "../logs/log-ring.ts";
import type { Report, Runner } from "./runner.ts";

export interface ContainerdRunnerOptions {
  readonly id: string;
  /** Opened for each run: containerd may have been restarted in between. */
  readonly connect: () => ContainerdClient;
  readonly spec: () => OciSpec;
  readonly log: LogRing;
  /** Directory for the pipes of the container. */
  readonly ioDirectory: string;
  readonly makeFifo: (path: string, mode: number) => Promise<void>;
  readonly adopt?: (pid: number) => Disposable;
  /** Between SIGTERM and SIGKILL. @default {10_000} */
  readonly stopTimeoutMs?: number;
  readonly clock?: Clock;
}

const signals = { term: 15, kill: 9 } as const;
const specType = "types.containerd.io/opencontainers/runtime-spec/1/Spec";

/** Runs a service as a containerd task. What an earlier run left behind is removed first. */
export function containerdRunner(options: ContainerdRunnerOptions): Runner {
  const { id, log, stopTimeoutMs = 10_000, clock = systemClock } = options;

  /** Removes the task and the container; absent ones are fine. */
  async function remove(client: ContainerdClient): Promise<void> {
    await ignoreAbsent(async () => {
      await ignoreAbsent(() => client.tasks.kill({ containerId: id, signal: signals.kill, all: true }));
      await client.tasks.wait({ containerId: id }, { timeoutMs: 10_000 });
    });
    await ignoreAbsent(() => client.tasks.delete({ containerId: id }));
    await ignoreAbsent(() => client.containers.delete({ id }));
  }

  async function pipes(): Promise<{ readonly stdout: string; readonly stderr: string } & AsyncDisposable> {
    await using cleanup = new AsyncDisposableStack();
    const open = async (name: string): Promise<string> => {
      const path = join(options.ioDirectory, `${id}-${name}`);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await options.makeFifo(path, 0o600);
      cleanup.use(readFifo(path, log));
      return path;
    };
    const [stdout, stderr] = [await open("stdout"), await open("stderr")];
    const owned = cleanup.move();
    return { stdout, stderr, [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose]() };
  }

  async function create(client: ContainerdClient): Promise<void> {
    const spec = { typeUrl: specType, value: Buffer.from(JSON.stringify(options.spec())) };
    await client.containers.create({
      container: { id, labels: { "talos.dev/service": id }, runtime: { name: "io.containerd.runc.v2" }, spec },
    });
  }

  return {
    describe: () => `Containerd(${id})`,
    async run(report, signal) {
      await using client = options.connect();
      await remove(client);
      await using io = await pipes();
      try {
        await create(client);
        await client.tasks.create({ containerId: id, stdout: io.stdout, stderr: io.stderr });
        const exit = client.tasks.wait({ containerId: id });
        exit.catch(() => undefined);
        const { pid } = await client.tasks.start({ containerId: id });
        using _adopted = options.adopt?.(pid);
        report("running", `Started task ${id} (PID ${String(pid)}) for container ${id}`);
        using _stopper = stopOnAbort(client, report, pid, signal);
        const { exitStatus } = await exit;
        if (!signal.aborted && exitStatus !== 0) throw exitFailure(id, exitStatus, log);
      } finally {
        await remove(client).catch(() => undefined);
      }
    },
  };

  function stopOnAbort(client: ContainerdClient, report: Report, pid: number, signal: AbortSignal): Disposable {
    const gone = new AbortController();
    const who = `task ${id} (PID ${String(pid)}, container ${id})`;
    const send = (name: "SIGTERM" | "SIGKILL", number: number): void => {
      report("stopping", `Sending ${name} to ${who}`);
      client.tasks.kill({ containerId: id, signal: number }).catch(() => undefined);
    };
    const stop = (): void => {
      send("SIGTERM", signals.term);
      clock.sleep(stopTimeoutMs, gone.signal).then(
        () => send("SIGKILL", signals.kill),
        () => undefined,
      );
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    return {
      [Symbol.dispose]() {
        gone.abort();
        signal.removeEventListener("abort", stop);
      },
    };
  }
}

async function ignoreAbsent(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (err) {
    if (!isKind(err, "not-found")) throw err;
  }
}

function exitFailure(id: string, exitStatus: number, log: LogRing): OsError {
  const [last] = log.lastLines(1);
  const seen = last === undefined ? "" : ` (last log ${JSON.stringify(last)})`;
  return new OsError({
    kind: "unavailable",
    code: "service/exited",
    message: `task "${id}" failed: exit code ${String(exitStatus)}${seen}`,
    details: { exitCode: exitStatus },
    next: `talosctl logs ${id}`,
  });
}
