import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { isKind, systemClock, type Clock } from "@talos-ts/base";
import type { MountSchema } from "@talos-ts/proto/containerd/types";
import type { ContainerdClient } from "../containerd/client.ts";
import { readFifo, type FifoReader } from "../containerd/fifo.ts";
import { ignoreAbsent } from "../containerd/ignore-absent.ts";
import type { OciSpec } from "../containerd/oci-spec.ts";
import type { LogRing } from "../logs/log-ring.ts";
import type { Report, Runner } from "../runner.ts";
import { exitFailure } from "./exit-failure.ts";

/** Describes what a container is made of. */
export interface ContainerContent {
  readonly spec: OciSpec;
  /** Its root, where it is not a directory of the host. */
  readonly root?: {
    /** Full reference of the image. */
    readonly image: string;
    readonly snapshotter: string;
    readonly snapshotKey: string;
    readonly mounts: readonly MessageInitShape<typeof MountSchema>[];
  };
}

/** Provides the content of a container for one run, and removes what it made for it. */
export interface ContentProvider {
  provide(client: ContainerdClient, report: Report, signal: AbortSignal): Promise<ContainerContent & AsyncDisposable>;
  /** Removes what an earlier run left behind; absent things are fine. Called once the container is gone. */
  clean(client: ContainerdClient): Promise<void>;
}

export interface ContainerdRunnerOptions {
  readonly id: string;
  /** Opened for each run: containerd may have been restarted in between. */
  readonly connect: () => ContainerdClient;
  readonly content: ContentProvider;
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
/** Time that a task counts as running while its containerd does not answer, in ms, and how often that is tried. */
const containerdBackMs = 60_000;
const containerdPollMs = 250;
const specType = "types.containerd.io/opencontainers/runtime-spec/1/Spec";

/** The pipes of a task, by path. */
interface TaskPipes extends AsyncDisposable {
  readonly stdout: string;
  readonly stderr: string;
  /** Writes what is still in the pipes to the log. */
  drain(): void;
}

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
    await options.content.clean(client);
  }

  async function pipes(): Promise<TaskPipes> {
    await using cleanup = new AsyncDisposableStack();
    const readers: FifoReader[] = [];
    const open = async (name: string): Promise<string> => {
      const path = join(options.ioDirectory, `${id}-${name}`);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await options.makeFifo(path, 0o600);
      readers.push(cleanup.use(readFifo(path, log)));
      return path;
    };
    const [stdout, stderr] = [await open("stdout"), await open("stderr")];
    const owned = cleanup.move();
    return {
      stdout,
      stderr,
      drain() {
        for (const reader of readers) reader.drain();
      },
      [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
    };
  }

  /** Creates the container and its task, which does not run yet. */
  async function create(
    client: ContainerdClient,
    io: { readonly stdout: string; readonly stderr: string },
    { spec, root }: ContainerContent,
  ): Promise<void> {
    const { mounts = [], ...record } = root ?? {};
    await client.containers.create({
      container: {
        id,
        labels: { "talos.dev/service": id },
        runtime: { name: "io.containerd.runc.v2" },
        spec: { typeUrl: specType, value: Buffer.from(JSON.stringify(spec)) },
        ...record,
      },
    });
    await client.tasks.create({ containerId: id, stdout: io.stdout, stderr: io.stderr, rootfs: [...mounts] });
  }

  let kill: (() => void) | undefined;

  return {
    describe: () => `Containerd(${id})`,
    interrupt: () => kill?.(),
    async run(report, signal) {
      await using client = options.connect();
      await remove(client);
      await using io = await pipes();
      try {
        {
          await using content = await options.content.provide(client, report, signal);
          await create(client, io, content);
        }
        const { pid } = await client.tasks.start({ containerId: id });
        using _adopted = options.adopt?.(pid);
        report("running", `Started task ${id} (PID ${String(pid)}) for container ${id}`);
        using _stopper = stopOnAbort(client, report, pid, signal);
        kill = () => void client.tasks.kill({ containerId: id, signal: signals.kill }).catch(() => undefined);
        const exitStatus = await exitOf(client, pid, signal);
        if (signal.aborted || exitStatus === 0) return;
        // The shim has passed on all output once its task is deleted; without it the last line would be an older one.
        await client.tasks.delete({ containerId: id }).catch(() => undefined);
        io.drain();
        throw exitFailure({ what: "task", id, code: exitStatus }, log);
      } finally {
        kill = undefined;
        await remove(client).catch(() => undefined);
      }
    },
  };

  /** Waits for the end of the task, also when containerd is restarted meanwhile: tasks go on without it. */
  async function exitOf(client: ContainerdClient, pid: number, signal: AbortSignal): Promise<number> {
    for (;;) {
      try {
        return (await client.tasks.wait({ containerId: id })).exitStatus;
      } catch (err) {
        if (!isKind(err, "unavailable") || signal.aborted) throw err;
        if (!(await isBackWith(client, pid, signal))) throw err;
      }
    }
  }

  /** Reports whether containerd answers again within a while and still has the task. */
  async function isBackWith(client: ContainerdClient, pid: number, signal: AbortSignal): Promise<boolean> {
    const end = clock.monotonic() + containerdBackMs;
    while (clock.monotonic() < end) {
      await clock.sleep(containerdPollMs, signal);
      try {
        return (await client.tasks.get({ containerId: id })).process?.pid === pid;
      } catch (err) {
        if (!isKind(err, "unavailable")) return false;
      }
    }
    return false;
  }

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

/** The content of a container whose root is a directory of the host: nothing but its specification. */
export function fixedContent(spec: () => OciSpec): ContentProvider {
  return {
    provide: async () => ({ spec: spec(), [Symbol.asyncDispose]: async () => undefined }),
    clean: async () => undefined,
  };
}
