import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "./make-folder.ts";

/**
 * Holds a lock file until disposed, so that no two processes do the same work at once.
 *
 * The file names its holder by process and start time; a lock whose holder is gone is taken over. While a living
 * process holds it, `onBusy` decides: it throws to give up, or resolves when it is time to look again.
 */
export async function lockFile(path: string, onBusy: (holder: number) => Promise<void>): Promise<AsyncDisposable> {
  await makeFolder(dirname(path), 0o700);
  const mine = await identityOf(process.pid);
  while (!(await tryCreate(path, mine))) {
    const holder = await readFile(path, "utf8").catch(() => undefined);
    if (holder === undefined) continue;
    const pid = Number(holder.split(" ")[0]);
    if ((await identityOf(pid)) === holder) await onBusy(pid);
    else await removeStale(path, holder);
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
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
async function identityOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return `${pid} ${fields[19] ?? "gone"}`;
}
