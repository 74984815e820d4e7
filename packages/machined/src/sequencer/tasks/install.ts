import { describeError, OsError } from "@talos-ts/base";
import { asType, findTyped, listTyped, pointerTo, type State } from "@talos-ts/cosi";
import { systemVersion, systemVolumes } from "@talos-ts/machinery/constants";
import { Disk, SystemDisk, VolumeStatus, type DiskSpec } from "@talos-ts/machinery/resources/block";
import type { BootLoader } from "../../boot-loader.ts";
import type { BootAssets } from "../../boot-loader/boot-assets.ts";
import type { ConfigStore } from "../../config-store.ts";
import { installSystem, type WritePartitions } from "../../disks/install-system.ts";
import { writePartitions } from "../../disks/write-partitions.ts";
import type { Task, TaskContext } from "../../sequence.ts";

export interface InstallDependencies {
  readonly state: State;
  readonly config: ConfigStore;
  readonly bootLoader: BootLoader;
  /** Opens the boot assets of an installer image. */
  readonly openImage: (reference: string, context: Pick<TaskContext, "log" | "signal">) => Promise<BootAssets>;
  /** Opens the boot assets of the medium in the machine. */
  readonly openMedium: () => Promise<BootAssets | undefined>;
  /** Starts the machine anew. */
  readonly restart: Task;
}

/**
 * Gives a machine that has no system disk one: partitions on the disk that the configuration names, a boot loader, and the version of
 * the system that `machine.install.image` has, or else the one on the medium that the machine was started from. Where neither is
 * there, as after a start over the network, the machine goes on being started from elsewhere. A machine that has installed another
 * version than the one that runs starts anew.
 *
 * An installation that was interrupted goes on where it was.
 *
 * @throws OsError `install/no-disk`, `install/disk-too-small`, `boot/no-assets`
 */
export function install(machine: InstallDependencies, write: WritePartitions = writePartitions): Task {
  const { state, bootLoader } = machine;
  return async (context) => {
    const { signal, log } = context;
    const present = (await findTyped(state, SystemDisk, SystemDisk.id))?.spec.devPath;
    if (present !== undefined) return await complete(machine, present, context);
    const disk = await wantedDisk(machine);
    await using assets = await openAssets(machine, context);
    if (assets === undefined) log("no boot loader is installed: there is no medium and no machine.install.image");
    log(`installing on ${disk.devPath}`);
    await installSystem({ disk, bootLoader, assets, write, tell: log, signal });
    for (const volume of [systemVolumes.meta, systemVolumes.state]) {
      await state.watchFor(
        pointerTo(VolumeStatus, volume),
        { test: (resource) => asType(VolumeStatus, resource).spec.phase === "ready" },
        signal,
      );
    }
    if (assets === undefined || assets.manifest.version === systemVersion) return;
    log(`starting ${assets.manifest.version}`);
    await machine.restart(context);
  };
}

/** Installs the boot loader on a system disk that has a place for one, and none. A machine that was started goes on without it. */
async function complete(machine: InstallDependencies, disk: string, context: TaskContext): Promise<void> {
  const { signal, log } = context;
  try {
    if ((await machine.bootLoader.entries())?.length !== 0) return log(`installed already on ${disk}`);
    await using assets = await openAssets(machine, context);
    if (assets === undefined) return log(`installed already on ${disk}, without a boot loader`);
    await machine.bootLoader.install(assets, { tell: log, signal });
  } catch (err) {
    signal.throwIfAborted();
    log(`cannot install a boot loader on ${disk}: ${describeError(err)}`);
  }
}

/** Image that configurations name for a version when nobody asks for another. */
const defaultImage = (version: string): string => `ghcr.io/siderolabs/installer:${version}`;

/** A medium that has the version of the default image spares the way to its registry. */
async function openAssets(
  { config, openImage, openMedium }: InstallDependencies,
  context: TaskContext,
): Promise<BootAssets | undefined> {
  const image = (await config.current())?.machine?.install?.image ?? "";
  if (image !== "" && image !== defaultImage(systemVersion)) return await openImage(image, context);
  const medium = await openMedium();
  if (image === "" || medium?.manifest.version === systemVersion) return medium;
  await medium?.[Symbol.asyncDispose]();
  return await openImage(image, context);
}

async function wantedDisk({ config, state }: InstallDependencies): Promise<DiskSpec> {
  const wanted = (await config.current())?.machine?.install?.disk ?? "";
  const disks = (await listTyped(state, Disk)).map(({ spec }) => spec);
  const disk = disks.find(({ devPath }) => devPath === wanted);
  if (disk !== undefined && !disk.readonly) return disk;
  const usable = disks
    .filter(({ readonly }) => !readonly)
    .map(({ devPath, prettySize }) => `${devPath} (${prettySize})`);
  throw new OsError({
    kind: "failed-precondition",
    code: "install/no-disk",
    message: `Cannot install: expected machine.install.disk to name a disk of this machine that can be written to, got "${wanted}"; there are ${usable.join(", ") || "none"}`,
    next: "talosctl get disks",
  });
}
