import type { Machine } from "../../machine.ts";
import type { Task } from "../sequencer.ts";

/** Mounts that pods make must be seen by the kubelet and the other way round. */
const shared = ["/", "/var", "/etc/cni", "/run"] as const;

export function setupSharedFilesystems(machine: Machine): Task {
  return async () => {
    for (const path of shared) await machine.linux.mounts.setPropagation(path, "shared", { recursive: true });
  };
}
