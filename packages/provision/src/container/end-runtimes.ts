import { readdir, readFile } from "node:fs/promises";

/**
 * Ends container runtimes that still work for a cluster: they outlive a process that was killed, and would make a
 * container after its removal. Those that only look are left alone.
 */
export async function endRuntimes(directory: string): Promise<void> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const words = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
    if (words[0] !== "runc" || words[2] !== directory || words[3] === "state") continue;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It ended by itself in the meantime.
    }
  }
}
