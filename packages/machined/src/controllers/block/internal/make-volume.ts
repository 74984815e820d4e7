import { chmod, chown, lchown, lstat, mkdir, readdir, readlink, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import type { Linux } from "@talos-ts/linux";
import type { VolumeStatusSpec } from "@talos-ts/machinery/resources/block";

/** Parts of the machine that volumes are made with. */
export interface VolumeMachine {
  /** Prefix of all paths, for tests. */
  readonly root: string;
  readonly linux: Pick<Linux, "mounts">;
}

/** Place of a volume, and how it is mounted there. */
interface Place {
  readonly target: string;
  /** Options of the mount, as in fstab. */
  readonly options: readonly string[];
  /** Target of the volume it belongs to; empty without one. */
  readonly parent: string;
}

type Make = (volume: VolumeStatusSpec, place: Place, machine: VolumeMachine) => Promise<void>;

const makers: Readonly<Partial<Record<VolumeStatusSpec["type"], Make>>> = {
  directory: (volume, { target }, { root }) => makeDirectory(volume, `${root}${target}`),
  symlink: (volume, { target }, { root }) => makeLink(volume, `${root}${target}`, root),
  partition: mountDevice,
  disk: mountDevice,
  overlay: mountOverlay,
};

/** Types of volumes that are mounts of their own. */
const mounted: ReadonlySet<string> = new Set(["partition", "disk", "overlay"]);

/**
 * Makes a volume at its target, or mounts it there. Bears repetition: what is already so is left alone.
 * @throws {OsError} `volume/not-a-directory`, `volume/unsupported-type`, `mount/<errno>`
 */
export async function makeVolume(volume: VolumeStatusSpec, place: Place, machine: VolumeMachine): Promise<void> {
  const make = makers[volume.type];
  if (make !== undefined) return make(volume, place, machine);
  throw new OsError({
    kind: "unimplemented",
    code: "volume/unsupported-type",
    message: `Cannot mount a volume of type "${volume.type}" at "${place.target}": expected ${Object.keys(makers).join(", ")}`,
  });
}

/** Takes a volume away that is a mount; others stay where they are. @throws {OsError} `mount/<errno>` */
export async function unmakeVolume(volume: VolumeStatusSpec, target: string, machine: VolumeMachine): Promise<void> {
  if (mounted.has(volume.type) && (await isMounted(target, machine))) await machine.linux.mounts.unmount(target);
}

async function isMounted(target: string, { linux }: VolumeMachine): Promise<boolean> {
  return (await linux.mounts.list()).some((mount) => mount.target === target);
}

async function mountDevice(
  volume: VolumeStatusSpec,
  { target, options }: Place,
  machine: VolumeMachine,
): Promise<void> {
  const { mounts } = machine.linux;
  const present = (await mounts.list()).findLast((mount) => mount.target === target);
  if (present === undefined) {
    const { mountLocation: source, filesystem: type } = volume;
    await mkdir(`${machine.root}${target}`, { recursive: true });
    await mounts.mount({ source, target, type, options });
    await mounts.setPropagation(target, "shared");
  } else if (changeable.some((option) => present.options.includes(option) !== options.includes(option))) {
    await mounts.remount(target, options, { bind: true });
  }
  if (options.includes("ro")) return;
  await makeDirectory(volume, `${machine.root}${target}`);
}

/** Options that requests for a mount can change while it lasts. */
const changeable = ["nodev", "nosuid", "noatime", "ro"] as const;

/** What programs write goes to two folders of the parent, one for the files and one that the kernel works in. */
async function mountOverlay(
  _volume: VolumeStatusSpec,
  { target, parent }: Place,
  machine: VolumeMachine,
): Promise<void> {
  if (await isMounted(target, machine)) return;
  const base = join(parent, "system/overlays", target.slice(1).replaceAll("/", "-"));
  const [upper, work] = [`${base}-diff`, `${base}-workdir`];
  for (const folder of [upper, work]) await mkdir(`${machine.root}${folder}`, { recursive: true, mode: 0o755 });
  const options = [`lowerdir=${target}`, `upperdir=${upper}`, `workdir=${work}`];
  await machine.linux.mounts.mount({ source: "overlay", target, type: "overlay", options });
  await machine.linux.mounts.setPropagation(target, "shared");
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
