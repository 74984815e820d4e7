import type { DiskStat, Linux } from "@talos-ts/linux";
import type { MachineMethod } from "./method.ts";
import { sumOf } from "../../support/sum-of.ts";

export const diskStats =
  (machine: { readonly linux: Linux }): MachineMethod<"diskStats"> =>
  async () => {
    const devices = (await machine.linux.procfs.disks()).map(describe);
    return { messages: [{ devices, total: sumOf(devices) }] };
  };

/** The numbers of the device and the flush counters have no place in the answer. */
function describe({ major: _major, minor: _minor, flushCompleted: _flushes, flushTimeMs: _time, ...stat }: DiskStat) {
  return stat;
}
