import type { Linux } from "@talos-ts/linux";
import type { MachineMethod } from "./method.ts";

export const loadAvg =
  (machine: { readonly linux: Linux }): MachineMethod<"loadAvg"> =>
  async () => ({
    messages: [await machine.linux.procfs.loadAverage()],
  });
