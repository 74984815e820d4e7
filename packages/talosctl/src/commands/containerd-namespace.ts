import { ContainerDriver } from "@talos-ts/proto/common/common";
import type { Invocation, OptionDefinition } from "../command.ts";
import { flag } from "../values.ts";

export const kubernetesOption: OptionDefinition = {
  flags: "-k, --kubernetes",
  description: "use the k8s.io containerd namespace",
};

/** Returns which containers a command is about: those of the system, or those of Kubernetes. */
export function containerdNamespace(invocation: Invocation): { namespace: string; driver: ContainerDriver } {
  return flag(invocation, "kubernetes")
    ? { namespace: "k8s.io", driver: ContainerDriver.CRI }
    : { namespace: "system", driver: ContainerDriver.CONTAINERD };
}

/** Containers of a pod stand below it. */
export function containerLabel({ id, podId }: { readonly id: string; readonly podId: string }): string {
  return id === podId ? id : `└─ ${id}`;
}

export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
