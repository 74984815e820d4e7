import { describeError } from "@talos-ts/base";
import type { ControllerContext, Resource } from "@talos-ts/cosi";
import {
  DiscoveredVolume,
  DiscoveryRefreshRequest,
  DiscoveryRefreshStatus,
  VolumeStatus,
  type DiscoveredVolumeSpec,
  type VolumeConfigSpec,
  type VolumeStatusSpec,
} from "@talos-ts/machinery/resources/block";
import { DevicesStatus } from "@talos-ts/machinery/resources/runtime";
import type { Format } from "./make-file-system.ts";
import {
  chosenDisks,
  chosenVolume,
  noDisk,
  provisionPartition,
  systemIsPlaced,
  type Provisioner,
} from "./provision-volume.ts";

/** Programs that volumes on disks are made with. */
export interface VolumeTools {
  readonly format: Format;
  readonly provisioner: Provisioner;
}

/** Fields of a status that come from the wish. */
export function commonStatus(
  config: VolumeConfigSpec,
): Pick<VolumeStatusSpec, "type" | "parentID" | "mountSpec" | "symlink"> {
  return { type: config.type, parentID: config.parentId, mountSpec: config.mount, symlink: config.symlink };
}

/**
 * Locates a volume by the label of its partition, and makes a file system on one that is empty. A partition with other content
 * is not touched. A volume that says on which disks it may be gets a partition there when it has none.
 */
export async function openPartition(
  context: ControllerContext,
  config: Resource<VolumeConfigSpec>,
  tools: VolumeTools,
): Promise<VolumeStatusSpec> {
  const { partitionSpec, diskSelector } = config.spec.provisioning;
  const common = commonStatus(config.spec);
  const found = (await context.list(DiscoveredVolume)).find(
    ({ spec }) => spec.type === "partition" && spec.partitionLabel === partitionSpec.label,
  );
  if (found !== undefined) return openLocated(context, config, found.spec, tools);
  if (!(await everythingSeen(context))) return VolumeStatus.spec({ ...common, phase: "waiting" });
  if (diskSelector.match.text === "") return VolumeStatus.spec({ ...common, phase: "missing" });
  if (!(await systemIsPlaced(context))) return VolumeStatus.spec({ ...common, phase: "waiting" });
  try {
    await provisionPartition(context, config, tools.provisioner);
  } catch (err) {
    return VolumeStatus.spec({
      ...common,
      phase: "failed",
      preFailPhase: "waiting",
      errorMessage: describeError(err),
    });
  }
  await askAgain(context);
  return VolumeStatus.spec({ ...common, phase: "waiting" });
}

/** Locates a volume that is there already: the first that its expression chooses. Nothing is made of one that is not. */
export async function openExisting(
  context: ControllerContext,
  config: Resource<VolumeConfigSpec>,
): Promise<VolumeStatusSpec> {
  const common = commonStatus(config.spec);
  const fail = (errorMessage: string): VolumeStatusSpec =>
    VolumeStatus.spec({ ...common, phase: "failed", preFailPhase: "waiting", errorMessage });
  try {
    const found = await chosenVolume(context, config.spec.locator.match.text);
    if (found === undefined) {
      return VolumeStatus.spec({ ...common, phase: (await everythingSeen(context)) ? "missing" : "waiting" });
    }
    const { name, devPath } = found;
    const filesystem = mountable.find((each) => each === name);
    if (filesystem !== undefined) {
      return VolumeStatus.spec({ ...common, ...placeOf(found), filesystem, phase: "ready" });
    }
    return fail(name === "" ? `filesystem not found on ${devPath}` : `cannot mount ${name} of ${devPath}`);
  } catch (err) {
    return fail(describeError(err));
  }
}

/** File systems of volumes that were made elsewhere. */
const mountable = ["xfs", "ext4", "vfat", "iso9660"] as const;

/** Locates a volume that is a whole disk, the only one that its expression chooses. */
export async function openDisk(
  context: ControllerContext,
  config: Resource<VolumeConfigSpec>,
  tools: VolumeTools,
): Promise<VolumeStatusSpec> {
  const common = commonStatus(config.spec);
  if (!(await everythingSeen(context))) return VolumeStatus.spec({ ...common, phase: "waiting" });
  try {
    const disks = await chosenDisks(context, config.spec.locator.diskMatch.text);
    const paths = disks.map(({ spec }) => spec.devPath).join(" ");
    if (disks.length > 1) {
      throw noDisk(`multiple disks matched locator for disk volume; matched disks: [${paths}]`);
    }
    const found = await context.find(DiscoveredVolume, disks[0]?.metadata.id ?? "");
    if (found !== undefined) return await openLocated(context, config, found.spec, tools);
    return VolumeStatus.spec({ ...common, phase: "waiting" });
  } catch (err) {
    const errorMessage = describeError(err);
    return VolumeStatus.spec({ ...common, phase: "failed", preFailPhase: "waiting", errorMessage });
  }
}

async function openLocated(
  context: ControllerContext,
  config: Resource<VolumeConfigSpec>,
  found: DiscoveredVolumeSpec,
  { format }: VolumeTools,
): Promise<VolumeStatusSpec> {
  const located = { ...commonStatus(config.spec), ...placeOf(found) };
  const { type: filesystem, label } = config.spec.provisioning.filesystemSpec;
  if (filesystem === "none" || found.name === filesystem) {
    return VolumeStatus.spec({ ...located, filesystem, phase: "ready" });
  }
  if (found.name !== "") {
    const errorMessage = `filesystem type mismatch: ${found.name} != ${filesystem}`;
    return VolumeStatus.spec({ ...located, phase: "failed", preFailPhase: "located", errorMessage });
  }
  // Formatted already, but not looked at since.
  if (await refreshPending(context)) return VolumeStatus.spec({ ...located, phase: "provisioned" });
  try {
    context.logger.info("formatting volume", { volume: config.metadata.id, device: found.devPath, filesystem });
    await format({ device: found.devPath, filesystem, label, sizeBytes: found.size }, context.signal);
  } catch (err) {
    const errorMessage = describeError(err);
    return VolumeStatus.spec({ ...located, phase: "failed", preFailPhase: "located", errorMessage });
  }
  await askAgain(context);
  return VolumeStatus.spec({ ...located, phase: "provisioned" });
}

function placeOf(volume: DiscoveredVolumeSpec) {
  return {
    location: volume.devPath,
    mountLocation: volume.devPath,
    parentLocation: volume.parentDevPath,
    partitionIndex: volume.partitionIndex,
    uuid: volume.uuid,
    partitionUUID: volume.partitionUuid,
    size: volume.size,
    prettySize: volume.prettySize,
  };
}

/** Reports whether all devices are there and were looked at since; asks for the look. */
async function everythingSeen(context: ControllerContext): Promise<boolean> {
  if ((await context.find(DevicesStatus, DevicesStatus.id))?.spec.ready !== true) return false;
  if ((await context.find(DiscoveryRefreshRequest, DiscoveryRefreshRequest.id)) !== undefined) {
    return !(await refreshPending(context));
  }
  await askAgain(context);
  return false;
}

async function refreshPending(context: ControllerContext): Promise<boolean> {
  const asked = (await context.find(DiscoveryRefreshRequest, DiscoveryRefreshRequest.id))?.spec.request ?? 0;
  const answered = (await context.find(DiscoveryRefreshStatus, DiscoveryRefreshStatus.id))?.spec.request ?? 0;
  return asked > answered;
}

async function askAgain(context: ControllerContext): Promise<void> {
  await context.modify(DiscoveryRefreshRequest, DiscoveryRefreshRequest.id, (before) =>
    DiscoveryRefreshRequest.spec({ request: (before?.request ?? 0) + 1 }),
  );
}
