import { chmod, chown, lchown, lstat, mkdir, readdir, readlink, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import type { VolumeStatusSpec } from "@talos-ts/machinery/resources/block";

/**
 * Makes a volume that needs no device at its target. Bears repetition: what is already so is left alone.
 * @param root prefix of all paths, for tests
 * @throws {OsError} `volume/not-a-directory`, `volume/unsupported-type`
 */
export async function makeVolume(volume: VolumeStatusSpec, target: string, root: string): Promise<void> {
  if (volume.type === "directory") return makeDirectory(volume, `${root}${target}`);
  if (volume.type === "symlink") return makeLink(volume, `${root}${target}`, root);
  throw new OsError({
    kind: "unimplemented",
    code: "volume/unsupported-type",
    message: `Cannot mount a volume of type "${volume.type}" at "${target}": expected a directory or a symlink`,
  });
}

async function makeDirectory({ mountSpec }: VolumeStatusSpec, path: string): Promise<void> {
  const { fileMode, uid, gid, recursiveRelabel } = mountSpec;
  await mkdir(path, { mode: fileMode === 0 ? 0o700 : fileMode }).catch(ignoreExisting);
  const present = await stat(path);
  if (!present.isDirectory()) {
    throw new OsError({
      kind: "failed-precondition",
      code: "volume/not-a-directory",
      message: `Cannot use "${path}" as a volume: expected a directory, found something else`,
    });
  }
  if (fileMode !== 0 && (present.mode & 0o7777) !== fileMode) await chmod(path, fileMode);
  if (present.uid === uid && present.gid === gid) return;
  if (recursiveRelabel) await chownBelow(path, uid, gid);
  await chown(path, uid, gid);
}

async function chownBelow(path: string, uid: number, gid: number): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await chownBelow(child, uid, gid);
    await lchown(child, uid, gid);
  }
}

async function makeLink(volume: VolumeStatusSpec, path: string, root: string): Promise<void> {
  const { symlinkTargetPath, force } = volume.symlink;
  const wanted = `${root}${symlinkTargetPath}`;
  const present = await lstat(path).catch(() => undefined);
  if (present?.isSymbolicLink() === true && (await readlink(path)) === wanted) return;
  if (present !== undefined && force) await rm(path, { recursive: true, force: true });
  await symlink(wanted, path);
}

function ignoreExisting(err: unknown): void {
  if ((err as NodeJS.ErrnoException).code !== "EEXIST") throw err;
}
