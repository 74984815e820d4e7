import type { Clock } from "@talos-ts/base";
import type { Controller } from "@talos-ts/cosi";
import { imageGcController } from "./internal/image-gc.ts";

/** Removes what nobody uses from the containerd of the system, whose images are in memory. */
export function containerdImageGCController(machine: { readonly clock: Clock; readonly root: string }): Controller {
  return imageGcController(machine, {
    name: "cri.containerdImageGCController",
    service: "containerd",
    namespace: "inmem",
  });
}
