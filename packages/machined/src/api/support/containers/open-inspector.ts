import type { Linux } from "@talos-ts/linux";
import { OsError } from "@talos-ts/base";
import { ContainerDriver } from "@talos-ts/proto/common/common";
import { createContainerdInspector } from "./containerd-inspector.ts";
import type { ContainerInspector } from "./inspector.ts";

/** Describes which containers are meant: a namespace of containerd, asked directly or as the kubelet asks. */
export interface ContainersQuery {
  readonly namespace: string;
  readonly driver: ContainerDriver;
}

/** @throws invalid argument */
export async function openInspector(
  machine: { readonly linux: Linux; readonly root: string },
  query: ContainersQuery,
): Promise<ContainerInspector> {
  const { namespace, driver } = query;
  if (namespace === "") throw refused("namespace can't be empty");
  if (driver === ContainerDriver.CONTAINERD) return createContainerdInspector(machine, namespace);
  if (driver !== ContainerDriver.CRI) throw refused(`unsupported driver "${String(driver)}"`);
  if (namespace !== "k8s.io") throw refused("CRI inspector is supported only for K8s namespace");
  // A large interface that is seldom asked for: it costs memory only once it is.
  const { createCriInspector } = await import("./cri-inspector.ts");
  return createCriInspector(machine);
}

function refused(message: string): OsError {
  return new OsError({ kind: "invalid-argument", code: "containers/bad-query", message, next: "talosctl containers" });
}
