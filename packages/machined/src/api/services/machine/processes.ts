import type { Linux } from "@talos-ts/linux";
import type { MachineMethod } from "./method.ts";

export const processes =
  (machine: { readonly linux: Linux }): MachineMethod<"processes"> =>
  async () => ({
    messages: [
      {
        processes: (await machine.linux.procfs.processes()).map((info) => ({
          pid: info.pid,
          ppid: info.parentPid,
          state: info.state,
          threads: info.threads,
          cpuTime: info.cpuSeconds,
          virtualMemory: info.virtualBytes,
          residentMemory: info.residentBytes,
          command: info.command,
          executable: info.executable,
          args: info.arguments.join(" "),
          label: info.label,
        })),
      },
    ],
  });
