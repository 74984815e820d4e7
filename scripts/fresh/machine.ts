import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as setTimeoutAsync } from "node:timers/promises";
import { OsError } from "@talos-ts/base";

export interface MachineOptions {
  /** Folder that becomes the root file system. */
  readonly root: string;
  readonly hostname: string;
  /** Folders and files of the host to mount, by their path inside. */
  readonly binds: readonly (readonly [host: string, inside: string])[];
  readonly env: Readonly<Record<string, string>>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /** Called with every line of standard output and standard error. */
  readonly onLine?: (line: string) => void;
}

/** A root file system that runs with processes, mounts and a host name of its own, in the network of the host. */
export interface Machine extends AsyncDisposable {
  /** Runs a bash script inside and returns its exit status. */
  run(script: string, options?: RunOptions): Promise<number>;
}

/**
 * Runs as the first process of the new namespaces. After `pivot_root` no file of the host is reachable but the mounted ones;
 * then it reaps orphans until it is killed, and everything inside ends with it.
 */
const firstProcess = `set -e
root=$1 name=$2; shift 2
mount --bind "$root" "$root"
cd "$root"
mount --rbind /sys sys
mount --rbind /dev dev
mount -t proc proc proc
mount -t tmpfs tmpfs run
while [ $# -gt 0 ]; do
  if [ -d "$1" ]; then mkdir -p "./$2"; else mkdir -p "./$(dirname "$2")"; [ -e "./$2" ] || : > "./$2"; fi
  mount --bind "$1" "./$2"
  shift 2
done
hostname "$name"
mkdir -p .outside
pivot_root . .outside
cd /
umount -l /.outside
rmdir /.outside
echo ready
while :; do sleep 3600 & wait $!; done
`;

/** Starts a machine; needs root. Disposing it kills its processes, and with the last one its mounts vanish. */
export async function startMachine({ root, hostname, binds, env }: MachineOptions): Promise<Machine> {
  const namespaces = ["--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child"];
  const words = [...namespaces, "/bin/sh", "-c", firstProcess, "sh", root, hostname, ...binds.flat()];
  // A session of its own: Ctrl-C must reach this program, which cleans up, and not the machine.
  // The kernel ends it when this program is killed.
  const outer = spawn("setpriv", ["--pdeathsig", "KILL", "unshare", ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const errors: string[] = [];
  outer.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
  const ready = await Promise.race([
    once(createInterface(outer.stdout), "line").then(() => true),
    once(outer, "exit").then(() => false),
  ]);
  if (!ready) {
    throw new OsError({
      kind: "failed-precondition",
      code: "fresh/namespaces",
      message: `Cannot enter "${root}" with namespaces of its own: ${errors.join("").trim()}`,
    });
  }
  const children = await readFile(`/proc/${outer.pid}/task/${outer.pid}/children`, "utf8");
  const first = Number(children.trim().split(" ")[0]);
  const environment = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return {
    run(script, { cwd = "/root", ...options } = {}) {
      const target = [
        "--target",
        String(first),
        "--mount",
        "--pid",
        "--uts",
        "--ipc",
        "--root",
        `--wd=/proc/${first}/root${cwd}`,
      ];
      const inside = ["/usr/bin/env", "-i", ...environment, "/bin/bash", "-c", script];
      return finish(
        spawn("nsenter", [...target, ...inside], { stdio: ["ignore", "pipe", "pipe"], detached: true }),
        options,
      );
    },
    async [Symbol.asyncDispose]() {
      if (outer.exitCode !== null || outer.signalCode !== null) return;
      const exit = once(outer, "exit");
      process.kill(first, "SIGKILL");
      await exit;
    },
  };
}

/** Time a command has to end after the signal aborted, in ms; then it is killed. */
const graceMs = 20_000;

/** Time the last output may take after the exit, in ms: processes that stay in the background keep the pipes open. */
const drainMs = 500;

/** Resolves with the exit status; when the signal aborts, the command and its children are told to end. */
async function finish(child: ChildProcess, { signal, onLine }: RunOptions): Promise<number> {
  const tell = (what: NodeJS.Signals): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, what);
  };
  let killer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    tell("SIGTERM");
    killer = setTimeout(() => tell("SIGKILL"), graceMs);
  };
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface(stream).on("line", (line) => onLine?.(line));
  const closed = once(child, "close");
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    await Promise.race([closed, setTimeoutAsync(drainMs)]);
    return code ?? 1;
  } finally {
    clearTimeout(killer);
    signal?.removeEventListener("abort", stop);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}
