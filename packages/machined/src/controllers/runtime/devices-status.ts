import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { DevicesStatus } from "@talos-ts/machinery/resources/runtime";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import type { Platform } from "../../platform.ts";

/** Devices are there once udevd has settled; in a container they are the host's, so at once. */
export function devicesStatusController({ platform }: { readonly platform: Platform }): Controller {
  return reduceController({
    name: "runtime.DevicesStatusController",
    inputs: platform.mode === "container" ? [] : [weak(Service, { id: "udevd" })],
    outputs: [exclusive(DevicesStatus)],
    async reduce(context) {
      if (platform.mode !== "container") {
        const udevd = await context.find(Service, "udevd");
        if (udevd?.spec.healthy !== true) return undefined;
      }
      return [createResource(DevicesStatus, DevicesStatus.id, DevicesStatus.spec({ ready: true }))];
    },
  });
}
