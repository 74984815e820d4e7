import { randomUUID } from "node:crypto";
import { link, readFile, readlink, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "./make-folder.ts";

/** Interval at which a holder shows in the lock file that it lives, in ms, and after which silence it counts as gone. */
const beatMs = 5000;
const silenceMs = 60_000;

/**
 * Holds a lock file until disposed, so that no two processes do the same work at once.
 *
 * The file names its holder by process, start time, boot and PID namespace; a lock whose holder is gone is taken over. A holder in
 * another PID namespace, such as a container that shares the folder, cannot be looked up: it counts as gone once it has not touched
 * the file for a minute. While a living process holds the lock, `onBusy` decides: it throws to give up, or resolves when it is
 * time to look again.
 */
export async function lockFile(path: string, onBusy: (holder: number) => Promise<void>): Promise<AsyncDisposable> {
  await makeFolder(dirname(path), 0o700);
  const place = await ownPlace();
  const mine = `${await processOf(process.pid)} ${place}`;
  while (!(await tryCreate(path, mine))) {
    const holder = await readFile(path, "utf8").catch(() => undefined);
    if (holder === undefined) continue;
    if (await isAlive(path, holder, place)) await onBusy(Number(holder.split(" ")[0]));
    else await removeStale(path, holder);
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, beatMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      await rm(path, { force: true });
    },
  };
}

async function isAlive(path: string, holder: string, place: string): Promise<boolean> {
  const [pid = "", start = "", boot, namespace] = holder.split(" ");
  const [ownBoot, ownNamespace] = place.split(" ");
  if (boot !== ownBoot) return false;
  if (namespace === ownNamespace) return (await processOf(Number(pid))) === `${pid} ${start}`;
  const touched = await stat(path).catch(() => undefined);
  return touched !== undefined && Date.now() - touched.mtimeMs < silenceMs;
}

/** Creates the file with its content in one step: nobody ever reads a lock without a holder. */
async function tryCreate(path: string, content: string): Promise<boolean> {
  const scratch = `${path}.${randomUUID()}`;
  await writeFile(scratch, content, { mode: 0o600 });
  try {
    await link(scratch, path);
    return true;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw err;
  } finally {
    await rm(scratch, { force: true });
  }
}

/** Takes a stale lock away; if another process replaced it in the meantime, its lock is put back. */
async function removeStale(path: string, holder: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => {});
  if ((await readFile(aside, "utf8").catch(() => holder)) !== holder) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

/** `pid start-time` of a process; process numbers are used again, pairs are not. */
async function processOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return `${pid} ${fields[19] ?? "gone"}`;
}

/** `boot-id pid-namespace` of this process: where its number means something. */
async function ownPlace(): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "unknown");
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "unknown");
  return `${boot.trim()} ${namespace}`;
}
