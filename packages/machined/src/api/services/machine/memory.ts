import type { Linux } from "@talos-ts/linux";
import { create } from "@bufbuild/protobuf";
import { MemInfoSchema } from "@talos-ts/proto/machine/system";
import type { MachineMethod } from "./method.ts";

/** The fields are named as the kernel names its values, without capitals and punctuation. */
const fieldOf = (kernelName: string): string => kernelName.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

export const memory =
  (machine: { readonly linux: Linux }): MachineMethod<"memory"> =>
  async () => {
    const values = [...(await machine.linux.procfs.memory())].map(
      ([name, value]) => [fieldOf(name), BigInt(value)] as const,
    );
    return { messages: [{ meminfo: create(MemInfoSchema, Object.fromEntries(values)) }] };
  };
