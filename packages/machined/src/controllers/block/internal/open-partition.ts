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

/** Fields of a status that come from the wish. */
export function commonStatus(
  config: VolumeConfigSpec,
): Pick<VolumeStatusSpec, "type" | "parentID" | "mountSpec" | "symlink"> {
  return { type: config.type, parentID: config.parentId, mountSpec: config.mount, symlink: config.symlink };
}

/**
 * Locates a volume by the label of its partition, and makes a file system on one that is empty. A partition with other content
 * is not touched.
 */
export async function openPartition(
  context: ControllerContext,
  config: Resource<VolumeConfigSpec>,
  format: Format,
): Promise<VolumeStatusSpec> {
  const { partitionSpec, filesystemSpec } = config.spec.provisioning;
  const common = commonStatus(config.spec);
  const found = (await context.list(DiscoveredVolume)).find(
    ({ spec }) => spec.type === "partition" && spec.partitionLabel === partitionSpec.label,
  );
  if (found === undefined) {
    return VolumeStatus.spec({ ...common, phase: (await everythingSeen(context)) ? "missing" : "waiting" });
  }
  const located = { ...common, ...placeOf(found.spec) };
  const { type: filesystem, label } = filesystemSpec;
  if (filesystem === "none" || found.spec.name === filesystem) {
    return VolumeStatus.spec({ ...located, filesystem, phase: "ready" });
  }
  if (found.spec.name !== "") {
    const errorMessage = `filesystem type mismatch: ${found.spec.name} != ${filesystem}`;
    return VolumeStatus.spec({ ...located, phase: "failed", preFailPhase: "located", errorMessage });
  }
  // Formatted already, but not looked at since.
  if (await refreshPending(context)) return VolumeStatus.spec({ ...located, phase: "provisioned" });
  try {
    context.logger.info("formatting volume", { volume: config.metadata.id, device: found.spec.devPath, filesystem });
    await format(found.spec.devPath, label, found.spec.size, context.signal);
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
