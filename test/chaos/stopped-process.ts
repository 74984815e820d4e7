import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const limitMs = 5000;
const pollMs = 1;

/**
 * Stops a process (SIGSTOP), does some work with the addresses at which its threads will go on, and lets it go on. One that was stopped
 * before stays so.
 *
 * @throws when it is gone, or a thread of it does not stop within 5 s
 */
export async function whileStopped<T>(pid: number, work: (addresses: readonly number[]) => Promise<T>): Promise<T> {
  const before = (await threadStates(pid)).every((state) => state === "T");
  process.kill(pid, "SIGSTOP");
  try {
    const until = performance.now() + limitMs;
    while (!(await threadStates(pid)).every((state) => "TtZX".includes(state))) {
      if (performance.now() > until) throw new Error(`process ${String(pid)} does not stop`);
      await pause(pollMs);
    }
    return await work(await threadAddresses(pid));
  } finally {
    if (!before) process.kill(pid, "SIGCONT");
  }
}

/** Recognizes errors of procfs and kill(2) for a process that ended, or was replaced (execve) so that its memory is another. */
export function isGone(err: unknown): boolean {
  return ["EIO", "ENOENT", "ESRCH"].includes((err as NodeJS.ErrnoException).code ?? "");
}

async function ofThreads(pid: number, file: string): Promise<readonly string[]> {
  const folder = `/proc/${String(pid)}/task`;
  const read = (thread: string): Promise<string> =>
    readFile(`${folder}/${thread}/${file}`, "utf8").catch((err: unknown) => {
      if (isGone(err)) return "";
      throw err;
    });
  return (await Promise.all((await readdir(folder)).map(read))).filter((text) => text !== "");
}

/** State of each thread, as in proc_pid_stat(5). The name before it may hold anything. */
async function threadStates(pid: number): Promise<readonly string[]> {
  return (await ofThreads(pid, "stat")).map((text) => text.slice(text.lastIndexOf(")") + 2).charAt(0));
}

/** Program counter of each thread: the last word of proc_pid_syscall(5). */
async function threadAddresses(pid: number): Promise<readonly number[]> {
  return (await ofThreads(pid, "syscall")).map((text) => {
    const address = Number(text.trim().split(" ").at(-1));
    if (Number.isNaN(address)) throw new Error(`a thread of process ${String(pid)} runs while it is stopped`);
    return address;
  });
}
