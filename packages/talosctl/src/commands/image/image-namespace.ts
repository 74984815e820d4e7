import { ContainerdNamespace, ContainerDriver } from "@talos-ts/proto/common/common";
import type { Invocation, OptionDefinition } from "../../command.ts";
import { badFlag, textOption } from "../../values.ts";

/** The names of namespaces and what the API calls them. */
const namespaces: Readonly<
  Record<string, { readonly driver: ContainerDriver; readonly namespace: ContainerdNamespace }>
> = {
  cri: { driver: ContainerDriver.CRI, namespace: ContainerdNamespace.NS_CRI },
  system: { driver: ContainerDriver.CRI, namespace: ContainerdNamespace.NS_SYSTEM },
  inmem: { driver: ContainerDriver.CONTAINERD, namespace: ContainerdNamespace.NS_SYSTEM },
};

export const namespaceOption: OptionDefinition = {
  flags: "--namespace <name>",
  description: "cri (pods), system (etcd and kubelet), inmem (the system containerd)",
  choices: Object.keys(namespaces),
  default: "cri",
};

/** Returns which images a command is about. */
export function imageNamespace(invocation: Invocation) {
  const name = textOption(invocation, "namespace") ?? "cri";
  const found = namespaces[name];
  if (found !== undefined) return found;
  throw badFlag("namespace", name, Object.keys(namespaces).join(", "));
}
