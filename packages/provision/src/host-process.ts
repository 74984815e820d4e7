import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { hostPort, OsError, systemClock, within } from "@talos-ts/base";

/** Word by which the processes of a cluster are recognised; the folder of the cluster follows it. */
const marker = "--cluster-directory";
const startMs = 15_000;
/** Time to end by itself, in ms; after it a process is killed. */
const endMs = 5000;
const pauseMs = 50;

/** A process of a cluster on the host, beside its nodes. */
export interface HostProcess {
  /** As people call it, in errors. */
  readonly title: string;
  /** Stable code of the error when it does not listen. */
  readonly code: string;
  /** Command line; `args` and the folder of the cluster are appended. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  /** Listener that tells that it has started. @default none: it has started once it runs */
  readonly listen?: { readonly host: string; readonly port: number };
  /** Name of its log in the folder of the cluster. */
  readonly log: string;
}

/**
 * Starts a process of a cluster unless it runs with the same arguments; resolves when it listens. It outlives this process and
 * belongs to the cluster: `endHostProcesses` ends it.
 */
export async function startHostProcess(directory: string, wanted: HostProcess): Promise<void> {
  const { title, code, command, args, listen, log: logFile } = wanted;
  const words = [...args, marker, directory];
  if ((await findProcesses(directory)).every((found) => !endsWith(found.words, words))) {
    const [program = "", ...rest] = command;
    const log = openSync(join(directory, logFile), "a", 0o600);
    const child = spawn(program, [...rest, ...words], { detached: true, stdio: ["ignore", log, log] });
    closeSync(log);
    child.on("error", () => undefined);
    child.unref();
  }
  if (listen === undefined) return;
  const waiting = new AbortController();
  const listening = (async () => {
    while (!(await accepts(listen))) await systemClock.sleep(pauseMs, waiting.signal);
  })();
  listening.catch(() => undefined);
  const { late } = await within(listening, startMs);
  waiting.abort();
  if (!late) return;
  throw new OsError({
    kind: "unavailable",
    code,
    message: `Cannot reach the ${title} of the cluster: nothing listens on ${hostPort(listen.host, listen.port)}`,
    next: `cat ${join(directory, logFile)}`,
  });
}

/**
 * Ends all processes of a cluster on the host; that none runs is no error. Resolves when they are gone: one that is still on
 * its way out would be taken for one that runs when the cluster starts again.
 */
export async function endHostProcesses(directory: string): Promise<void> {
  const signalAll = async (signal: NodeJS.Signals): Promise<void> => {
    for (const { pid } of await findProcesses(directory)) {
      try {
        process.kill(pid, signal);
      } catch {
        // It ended by itself in the meantime.
      }
    }
  };
  await signalAll("SIGTERM");
  const deadline = systemClock.monotonic() + endMs;
  while ((await findProcesses(directory)).length > 0) {
    if (systemClock.monotonic() > deadline) await signalAll("SIGKILL");
    await systemClock.sleep(pauseMs);
  }
}

/** Reports whether a process belongs to a cluster, as its supervisor does. */
export async function isHostProcess(pid: number, directory: string): Promise<boolean> {
  return endsWith(await wordsOf(String(pid)), [marker, directory]);
}

interface FoundProcess {
  readonly pid: number;
  readonly words: readonly string[];
}

async function findProcesses(directory: string): Promise<readonly FoundProcess[]> {
  const found: FoundProcess[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const words = await wordsOf(name);
    if (endsWith(words, [marker, directory])) found.push({ pid: Number(name), words });
  }
  return found;
}

async function wordsOf(pid: string): Promise<readonly string[]> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0").slice(0, -1);
}

function endsWith(words: readonly string[], end: readonly string[]): boolean {
  return end.length <= words.length && end.every((word, index) => words[words.length - end.length + index] === word);
}

async function accepts({ host, port }: NonNullable<HostProcess["listen"]>): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
