import type { CpuInfo, Linux } from "@talos-ts/linux";
import type { MachineMethod } from "./method.ts";

export const cpuInfo =
  (machine: { readonly linux: Linux }): MachineMethod<"cPUInfo"> =>
  async () => ({
    messages: [{ cpuInfo: (await machine.linux.procfs.cpus()).map(describe) }],
  });

function describe({ processor, fields }: CpuInfo) {
  const text = (name: string): string => fields.get(name) ?? "";
  const number = (name: string): number => Number.parseFloat(text(name)) || 0;
  const words = (name: string): string[] => text(name).split(/\s+/).filter(Boolean);
  return {
    processor,
    vendorId: text("vendor_id"),
    cpuFamily: text("cpu family"),
    model: text("model"),
    modelName: text("model name"),
    stepping: text("stepping"),
    microcode: text("microcode"),
    cpuMhz: number("cpu MHz"),
    cacheSize: text("cache size"),
    physicalId: text("physical id"),
    siblings: number("siblings"),
    coreId: text("core id"),
    cpuCores: number("cpu cores"),
    apicId: text("apicid"),
    initialApicId: text("initial apicid"),
    fpu: text("fpu"),
    fpuException: text("fpu_exception"),
    cpuIdLevel: number("cpuid level"),
    wp: text("wp"),
    flags: words("flags"),
    bugs: words("bugs"),
    bogoMips: number("bogomips"),
    clFlushSize: number("clflush size"),
    cacheAlignment: number("cache_alignment"),
    addressSizes: text("address sizes"),
    powerManagement: text("power management"),
  };
}
