import { OsError } from "@talos-ts/base";
import { findTyped, listTyped } from "@talos-ts/cosi";
import type { ServiceImpl } from "@talos-ts/grpc";
import { Disk, SystemDisk, type DiskSpec } from "@talos-ts/machinery/resources/block";
import type { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import { installSystem } from "../../../disks/install-system.ts";
import { requireOwnHardware } from "../../access/mode-support.ts";
import { imageNamespace } from "../image/image-namespace.ts";
import { fromImage, type LifecycleDependencies } from "./from-image.ts";

/** Installs the system on a disk of a machine that has none of it; the caller reboots, or applies a configuration. */
export function install(machine: LifecycleDependencies): NonNullable<ServiceImpl<typeof LifecycleService>["install"]> {
  return async function* ({ containerd, source, destination }, { signal }) {
    requireOwnHardware(machine, `installation is not supported in ${machine.platform.mode} mode`);
    const namespace = imageNamespace(containerd);
    const disk = await emptyDisk(machine, destination?.disk ?? "");
    yield* fromImage(machine, source?.imageName ?? "", { namespace, signal }, (assets, tell) =>
      installSystem({ disk, bootLoader: machine.bootLoader, assets, tell, signal }),
    );
  };
}

async function emptyDisk({ state }: LifecycleDependencies, path: string): Promise<DiskSpec> {
  const present = await findTyped(state, SystemDisk, SystemDisk.id);
  if (present !== undefined) {
    throw new OsError({
      kind: "failed-precondition",
      code: "install/installed-already",
      message: `Cannot install: the system is installed on ${present.spec.devPath} already`,
      next: "talosctl upgrade",
    });
  }
  const disk = (await listTyped(state, Disk)).find(({ spec }) => spec.devPath === path && !spec.readonly);
  if (disk !== undefined) return disk.spec;
  throw new OsError({
    kind: "invalid-argument",
    code: "install/no-disk",
    message: `Cannot install on "${path}": expected a disk of this machine that can be written to`,
    next: "talosctl get disks",
  });
}
