import { chown, constants, copyFile, mkdir, readdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { paths, userIds } from "@talos-ts/machinery/constants";
import type { EtcdAccess } from "../dependencies.ts";

/** Attempts to copy a directory that nobody writes to meanwhile. */
const attempts = 5;
/** Bytes that stay free beside the copy: etcd allocates the next file of its log ahead. */
const reserveBytes = 256 * 1024 * 1024;

/** Parts of a data directory. */
const parts = ["member/snap", "member/wal"] as const;

/** Where the database is in a data directory. */
export const databaseFile = "member/snap/db";

/**
 * Copies the data directory of etcd, for the user of etcd. The copy is made again when a file has changed or gone meanwhile.
 *
 * @param target Folder that becomes the data directory; what is in it is removed first.
 * @param saveDatabase Writes the database of a member that runs, as its file may change at any time. etcd repairs the end of a log
 *   that was copied while it was written. @default the file is copied like the others
 * @throws {OsError} `etcd/no-space-for-copy`, `etcd/data-changes`
 */
export async function copyData(
  { root }: EtcdAccess,
  target: string,
  signal: AbortSignal,
  saveDatabase?: (path: string) => Promise<void>,
): Promise<void> {
  const source = join(root, paths.etcdData);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    signal.throwIfAborted();
    const before = await filesOf(source);
    await rm(target, { recursive: true, force: true });
    for (const part of ["", "member", ...parts]) await makeFolderOfEtcd(join(target, part));
    await requireSpace(target, before);
    if (saveDatabase !== undefined) {
      await saveDatabase(join(target, databaseFile));
      await giveToEtcd(join(target, databaseFile));
    }
    const copied = before.filter(({ path }) => saveDatabase === undefined || path !== databaseFile);
    if (!(await copyFiles(source, target, copied, signal))) continue;
    if (saveDatabase !== undefined || sameFiles(before, await filesOf(source))) return;
  }
  throw new OsError({
    kind: "unavailable",
    code: "etcd/data-changes",
    message: `Cannot copy ${paths.etcdData}: etcd writes to it, ${String(attempts)} copies differ from it`,
    next: "talosctl etcd status",
  });
}

/** @returns false when a file is gone */
async function copyFiles(
  source: string,
  target: string,
  files: readonly DataFile[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const { path } of files) {
    signal.throwIfAborted();
    try {
      // Shares the blocks where the file system can.
      await copyFile(join(source, path), join(target, path), constants.COPYFILE_FICLONE);
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw err;
    }
    await giveToEtcd(join(target, path));
  }
  return true;
}

interface DataFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Files that matter; space that is allocated ahead does not. */
async function filesOf(source: string): Promise<readonly DataFile[]> {
  const files: DataFile[] = [];
  for (const part of parts) {
    for (const name of await readdir(join(source, part))) {
      if (name.endsWith(".tmp")) continue;
      const { size, mtimeMs } = await stat(join(source, part, name));
      files.push({ path: join(part, name), size, mtimeMs });
    }
  }
  return files;
}

function sameFiles(a: readonly DataFile[], b: readonly DataFile[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

async function requireSpace(target: string, files: readonly DataFile[]): Promise<void> {
  const needed = files.reduce((sum, { size }) => sum + size, reserveBytes);
  const { bavail, bsize } = await statfs(target);
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new OsError({
    kind: "resource-exhausted",
    code: "etcd/no-space-for-copy",
    message: `Cannot copy ${paths.etcdData}: ${String(needed)} bytes are needed, ${String(free)} are free`,
    next: "talosctl usage /var",
  });
}

async function makeFolderOfEtcd(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await giveToEtcd(path);
}

/** Only root may give files away; tests run as they are. */
async function giveToEtcd(path: string): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, userIds.etcd, userIds.etcd);
}
