import { isKind } from "@talos-ts/base";
import type { TextFiles, Linux } from "@talos-ts/linux";
import type { MachineMethod } from "./method.ts";

const folder = "/sys/devices/system/cpu";

export const cpuFreqStats =
  (machine: { readonly linux: Linux }): MachineMethod<"cPUFreqStats"> =>
  async () => {
    const files = machine.linux.textFiles;
    const numbers = (await optional(files.list(folder), []))
      .flatMap((name) => /^cpu(\d+)$/.exec(name)?.[1] ?? [])
      .map(Number)
      .toSorted((a, b) => a - b);
    const found = await Promise.all(numbers.map((number) => describe(files, `${folder}/cpu${String(number)}/cpufreq`)));
    return { messages: [{ cpuFreqStats: found }] };
  };

/**
 * Empty where the frequency is fixed or is the host's business, as in most virtual machines: an entry for each processor lets clients of Talos
 * show the frequency of `CPUInfo` instead, none means that they know nothing.
 */
async function describe(files: TextFiles, at: string) {
  const read = async (name: string): Promise<string> => (await optional(files.read(`${at}/${name}`), "")).trim();
  const governor = await read("scaling_governor");
  if (governor === "") return {};
  const kilohertz = async (name: string): Promise<bigint> => BigInt((await read(name)).replaceAll(/\D/g, "") || 0);
  return {
    currentFrequency: await kilohertz("cpuinfo_cur_freq"),
    minimumFrequency: await kilohertz("cpuinfo_min_freq"),
    maximumFrequency: await kilohertz("cpuinfo_max_freq"),
    governor,
  };
}

async function optional<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (err) {
    if (isKind(err, "not-found") || isKind(err, "permission-denied")) return otherwise;
    throw err;
  }
}
