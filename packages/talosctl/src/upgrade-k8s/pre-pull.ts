import { isKind } from "@talos-ts/base";
import { openResources } from "@talos-ts/machinery/client/resources";
import { KubeletSpec } from "@talos-ts/machinery/resources/k8s";
import { ContainerdNamespace, ContainerDriver } from "@talos-ts/proto/common/common";
import { ImageService } from "@talos-ts/proto/machine/image";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { kubeletImage } from "./upgrade-kubelet.ts";
import { imageOf, type Upgrade } from "./upgrade.ts";

/** Pulls the new images before anything is changed, so that a registry that lacks one is found out in time. */
export async function prePullImages(upgrade: Upgrade, kubelets: boolean): Promise<void> {
  const { nodes, connection } = upgrade;
  for (const name of ["apiServer", "controllerManager", "scheduler"] as const) {
    for (const node of nodes.controlPlanes) {
      await pull(upgrade, node, imageOf(upgrade, name), ContainerdNamespace.NS_CRI);
    }
  }
  if (!kubelets) return;
  for (const node of [...nodes.controlPlanes, ...nodes.workers]) {
    const { spec } = await openResources(connection, node, [KubeletSpec]).get(KubeletSpec, KubeletSpec.id);
    await pull(upgrade, node, kubeletImage(upgrade, spec.image), ContainerdNamespace.NS_SYSTEM);
  }
}

async function pull(
  { connection, log, signal }: Upgrade,
  node: string,
  imageRef: string,
  namespace: ContainerdNamespace,
): Promise<void> {
  log(` > ${JSON.stringify(node)}: pre-pulling ${imageRef}`);
  const containerd = { driver: ContainerDriver.CRI, namespace };
  try {
    const progress = connection.service(ImageService, { node }).pull({ containerd, imageRef }, { signal });
    for await (const _ of progress) signal.throwIfAborted();
  } catch (err) {
    if (!isKind(err, "unimplemented")) throw err;
    // A node of an older release.
    await connection.service(MachineService, { node }).imagePull({ namespace, reference: imageRef }, { signal });
  }
}
