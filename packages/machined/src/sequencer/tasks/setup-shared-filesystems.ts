import type { Linux } from "@talos-ts/linux";
import type { Task } from "../../sequence.ts";

/** Mounts that pods make must be seen by the kubelet and the other way round. */
const shared = ["/", "/var", "/etc/cni", "/run"] as const;

export function setupSharedFilesystems(machine: { readonly linux: Linux }): Task {
  return async () => {
    for (const path of shared) await machine.linux.mounts.setPropagation(path, "shared", { recursive: true });
  };
}
