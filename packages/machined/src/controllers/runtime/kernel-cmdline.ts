import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";
import { KernelCmdline } from "@talos-ts/machinery/resources/runtime";
import type { Platform } from "../../platform.ts";

/** Publishes the command line of the kernel, which in a container is not about this machine. */
export function kernelCmdlineController(machine: {
  readonly platform: Pick<Platform, "mode">;
  readonly linux: Pick<Linux, "procfs">;
}): Controller {
  return reduceController({
    name: "runtime.KernelCmdlineController",
    inputs: [],
    outputs: [exclusive(KernelCmdline)],
    async reduce() {
      if (machine.platform.mode === "container") return [];
      const cmdline = await machine.linux.procfs.commandLine();
      return [createResource(KernelCmdline, KernelCmdline.id, KernelCmdline.spec({ cmdline }))];
    },
  });
}
