import type { Linux } from "@talos-ts/linux";
import type { MachineMethod } from "./method.ts";

export const hostname =
  (machine: { readonly linux: Linux }): MachineMethod<"hostname"> =>
  async () => ({
    messages: [{ hostname: machine.linux.system.hostname() }],
  });
