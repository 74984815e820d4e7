import { copyFile, open } from "node:fs/promises";
import { buildBootImage, buildBootMedium, buildFirmware, findRootfs, type Firmware } from "@talos-ts/imager";
import { exists, inStage, makeFolder, silent, type Progress } from "@talos-ts/host";
import { createLinuxMounts, createLinuxNetworks, type Network } from "@talos-ts/linux";
import type { ClusterPlan, NodePlan } from "../cluster-plan.ts";
import { mountImage } from "../container/image-mount.ts";
import { layout } from "../container/node-layout.ts";
import { bringUpNetwork } from "../network/bring-up-network.ts";
import type { NodeImage, StartNodesRequest, Work } from "../provisioner.ts";
import { findAccelerator, type Accelerator } from "./accelerator.ts";
import { cutPower, machineStatus, plugIn, startMachine } from "./machine-process.ts";
import { machineFiles } from "./node-layout.ts";
import type { MachineOptions } from "./qemu-command.ts";

/** Makes the network and the disks of a new cluster, and starts its machines without a configuration. */
export async function createMachines(plan: ClusterPlan, image: NodeImage, work: Work): Promise<void> {
  using here = createLinuxNetworks().here;
  const starter = await prepare(here, plan, image, "create network", work);
  for (const [index, node] of plan.nodes.entries()) {
    work.signal?.throwIfAborted();
    await makeFolder(machineFiles.folder(plan, node), 0o700);
    await makeDisk(machineFiles.disk(plan, node), plan.diskBytes ?? 0);
    await start(starter, node, index, work);
  }
  work.progress({ stage: "start nodes", state: "done" });
}

/** Starts the machines that do not run, and plugs in those that do. */
export async function startMachines(request: StartNodesRequest, work: Work): Promise<readonly NodePlan[]> {
  const { plan } = request;
  using here = createLinuxNetworks().here;
  const kept = await findRootfs(request.image);
  const image = kept ?? (await request.buildImage());
  const starter = await prepare(here, plan, image, "check network", work);
  if (image.digest !== request.image) await request.onNewImage(image.digest);
  const started: NodePlan[] = [];
  for (const [index, node] of plan.nodes.entries()) {
    work.signal?.throwIfAborted();
    const { state } = await machineStatus(plan, node);
    if (state === "running") await plugIn(here, plan, node);
    if (state === "running" || !request.nodes.includes(node)) continue;
    await cutPower(plan, node);
    await start(starter, node, index, work);
    started.push(node);
  }
  if (started.length > 0) work.progress({ stage: "start nodes", state: "done" });
  return started;
}

/** Cuts the power of a machine and starts it again with the same disk. */
export async function restartMachine(plan: ClusterPlan, node: NodePlan, image: NodeImage): Promise<void> {
  using here = createLinuxNetworks().here;
  await cutPower(plan, node);
  const parts = { ...(await bootParts(image)), accelerator: await findAccelerator() };
  await startWithFirmware(here, { plan, node, ...parts });
}

interface BootParts {
  readonly firmware: Firmware;
  readonly medium: string;
}

async function bootParts(image: NodeImage, signal?: AbortSignal, progress: Progress = silent): Promise<BootParts> {
  const cancel = signal === undefined ? {} : { signal };
  const boot = await buildBootImage({ rootfs: image, ...cancel }, progress);
  return { firmware: await buildFirmware(cancel, progress), medium: await buildBootMedium(boot, {}, progress) };
}

interface Starter extends BootParts {
  readonly here: Network;
  readonly plan: ClusterPlan;
  readonly accelerator: Accelerator;
}

async function prepare(
  here: Network,
  plan: ClusterPlan,
  image: NodeImage,
  stage: string,
  { progress, signal }: Work,
): Promise<Starter> {
  const boot = await bootParts(image, signal, progress);
  // The program that writes the rules of the network is in it.
  const mounts = createLinuxMounts();
  const target = layout.rootfs(plan);
  if (!(await mounts.list()).some((mount) => mount.target === target)) {
    await inStage(progress, "mount image", () => mountImage(mounts, image, target, progress, signal));
  }
  await bringUpNetwork(here, plan, stage, progress, signal);
  return { here, plan, ...boot, accelerator: await findAccelerator() };
}

async function start(
  { here, plan, firmware, medium, accelerator }: Starter,
  node: NodePlan,
  index: number,
  work: Work,
): Promise<void> {
  work.progress({
    stage: "start nodes",
    state: "step",
    detail: `${node.name} ${node.address}${accelerator === "tcg" ? ", without KVM: slow" : ""}`,
    done: index + 1,
    total: plan.nodes.length,
  });
  await startWithFirmware(here, { plan, node, firmware, medium, accelerator });
}

/** A machine that never started has the variables of new firmware. */
async function startWithFirmware(here: Network, options: MachineOptions): Promise<void> {
  const variables = machineFiles.variables(options.plan, options.node);
  if (!(await exists(variables))) await copyFile(options.firmware.variables, variables);
  await startMachine(here, options);
}

/** Makes a disk that takes space on the host only as the machine writes to it. */
async function makeDisk(path: string, bytes: number): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.truncate(bytes);
}
