import { OsError } from "@talos-ts/base";
import { ContainerdNamespace, ContainerDriver, type ContainerdInstance } from "@talos-ts/proto/common/common";
import type { ImageNamespace } from "../../../images/namespaces.ts";

/** The namespaces of each containerd that keep images, as the API numbers both. */
const byDriver: Readonly<Record<number, Readonly<Record<number, ImageNamespace>>>> = {
  [ContainerDriver.CRI]: { [ContainerdNamespace.NS_SYSTEM]: "system", [ContainerdNamespace.NS_CRI]: "cri" },
  [ContainerDriver.CONTAINERD]: { [ContainerdNamespace.NS_SYSTEM]: "inmem" },
};

/** Returns which images a request is about. @throws invalid-argument */
export function imageNamespace(instance: Pick<ContainerdInstance, "driver" | "namespace"> | undefined): ImageNamespace {
  const { driver = ContainerDriver.CRI, namespace = ContainerdNamespace.NS_UNKNOWN } = instance ?? {};
  const found = byDriver[driver]?.[namespace];
  if (found !== undefined) return found;
  const given = `${ContainerDriver[driver] ?? String(driver)}/${ContainerdNamespace[namespace] ?? String(namespace)}`;
  throw new OsError({
    kind: "invalid-argument",
    code: "image/bad-namespace",
    message: `unsupported containerd namespace ${given}, expected CRI/NS_CRI, CRI/NS_SYSTEM or CONTAINERD/NS_SYSTEM`,
    next: "talosctl image list --namespace cri",
  });
}

/** The namespace of the older methods, which know only the containerd of Kubernetes. */
export function criNamespace(namespace: ContainerdNamespace): ImageNamespace {
  return imageNamespace({ driver: ContainerDriver.CRI, namespace });
}
