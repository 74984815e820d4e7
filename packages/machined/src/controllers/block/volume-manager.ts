import {
  exclusive,
  pointerTo,
  reconcileController,
  destroyReady,
  strong,
  weak,
  type Controller,
  type ControllerContext,
  type Resource,
} from "@talos-ts/cosi";
import { OsError } from "@talos-ts/base";
import {
  DiscoveredVolume,
  Disk,
  SystemDisk,
  DiscoveryRefreshRequest,
  DiscoveryRefreshStatus,
  VolumeConfig,
  VolumeLifecycle,
  VolumeStatus,
  type VolumeConfigSpec,
  type VolumeStatusSpec,
} from "@talos-ts/machinery/resources/block";
import { DevicesStatus } from "@talos-ts/machinery/resources/runtime";
import type { PartitionMachine } from "../../disks/create-partition.ts";
import type { Platform } from "../../platform.ts";
import { makeFileSystem } from "./internal/make-file-system.ts";
import { commonStatus, openDisk, openExisting, openPartition, type VolumeTools } from "./internal/open-partition.ts";
import { createProvisioner } from "./internal/provision-volume.ts";

const name = "block.VolumeManagerController";

/** Volumes that are ready as soon as they are wanted: whoever mounts them makes them. */
const madeByMounting: ReadonlySet<string> = new Set(["directory", "symlink", "overlay"]);

/** Inputs that partitions are located with, and made on. */
const partitionInputs = [
  weak(DiscoveredVolume),
  weak(DevicesStatus),
  weak(DiscoveryRefreshStatus),
  weak(Disk),
  weak(SystemDisk),
];

/** Volumes on disks by their type. */
const onDisks: Readonly<Partial<Record<VolumeConfigSpec["type"], typeof openPartition>>> = {
  partition: openPartition,
  disk: openDisk,
};

/**
 * Brings volumes from wish to readiness. A volume whose wish goes away, or all of them once the lifecycle ends, is let go
 * when nobody has it mounted any more.
 */
export function volumeManagerController(
  machine: PartitionMachine & { readonly platform: Pick<Platform, "mode"> },
  tools: Partial<VolumeTools> = {},
): Controller {
  const all: VolumeTools = { format: makeFileSystem, provisioner: createProvisioner(machine), ...tools };
  const open = (context: ControllerContext, config: Resource<VolumeConfigSpec>): Promise<void> =>
    openVolume(context, config, machine.platform.mode === "container" ? undefined : all);
  return reconcileController({
    name,
    inputs: [strong(VolumeConfig), strong(VolumeLifecycle), destroyReady(VolumeStatus), ...partitionInputs],
    outputs: [exclusive(VolumeStatus), exclusive(DiscoveryRefreshRequest)],
    async reconcile(context) {
      const lifecycle = await context.find(VolumeLifecycle, VolumeLifecycle.id);
      if (lifecycle !== undefined) await hold(context, lifecycle);
      // Others that hold the lifecycle still have something to write.
      const closing =
        lifecycle?.metadata.phase === "tearingDown" && lifecycle.metadata.finalizers.every((holder) => holder === name);
      for (const config of (await context.list(VolumeConfig)).toSorted(inOrder)) {
        if (closing || config.metadata.phase === "tearingDown") await close(context, config);
        else await open(context, config);
      }
      if (!closing) return;
      const left = await context.list(VolumeStatus);
      if (left.length === 0) await context.removeFinalizer(lifecycle.metadata, name);
    },
  });
}

/** Volumes that take all they can get come last: they would leave nothing for others. */
function inOrder(left: Resource<VolumeConfigSpec>, right: Resource<VolumeConfigSpec>): number {
  const most = ({ spec }: Resource<VolumeConfigSpec>): number => {
    const { diskSelector, partitionSpec } = spec.provisioning;
    if (diskSelector.match.text === "") return 0;
    return partitionSpec.maxSize === 0 ? Number.MAX_VALUE : partitionSpec.maxSize;
  };
  return most(left) - most(right);
}

async function hold(context: ControllerContext, { metadata }: Resource): Promise<void> {
  if (metadata.phase === "running" && !metadata.finalizers.includes(name)) await context.addFinalizer(metadata, name);
}

/** @param tools None where the disks are somebody else's. */
async function openVolume(
  context: ControllerContext,
  config: Resource<VolumeConfigSpec>,
  tools: VolumeTools | undefined,
): Promise<void> {
  await hold(context, config);
  const { metadata, spec } = config;
  const openOnDisk = tools === undefined ? undefined : isExisting(spec) ? openExisting : onDisks[spec.type];
  const status =
    tools === undefined || openOnDisk === undefined
      ? statusOf(metadata.id, spec)
      : await openOnDisk(context, config, tools);
  await context.put(VolumeStatus, metadata.id, () => status, { labels: metadata.labels });
}

async function close(context: ControllerContext, config: Resource<VolumeConfigSpec>): Promise<void> {
  const gone = await context.remove(pointerTo(VolumeStatus, config.metadata.id));
  if (gone && config.metadata.phase === "tearingDown") await context.removeFinalizer(config.metadata, name);
}

/** A volume that is found by an expression, and has neither disk nor label to be made with. */
function isExisting({ type, locator, provisioning }: VolumeConfigSpec): boolean {
  return type === "partition" && locator.match.text !== "" && provisioning.partitionSpec.label === "";
}

function statusOf(id: string, config: VolumeConfigSpec): VolumeStatusSpec {
  const common = commonStatus(config);
  if (madeByMounting.has(config.type)) return VolumeStatus.spec({ ...common, phase: "ready" });
  const error = new OsError({
    kind: "unimplemented",
    code: "volume/unsupported-type",
    message: `Cannot create volume "${id}": type "${config.type}" is not supported on this machine`,
  });
  return VolumeStatus.spec({ ...common, phase: "failed", preFailPhase: "waiting", errorMessage: error.message });
}
