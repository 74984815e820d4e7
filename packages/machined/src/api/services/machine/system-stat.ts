import type { Linux } from "@talos-ts/linux";
import type { MachineMethod } from "./method.ts";

export const systemStat =
  (machine: { readonly linux: Linux }): MachineMethod<"systemStat"> =>
  async () => {
    const stat = await machine.linux.procfs.stat();
    return {
      messages: [
        {
          bootTime: stat.bootTime,
          cpuTotal: stat.cpuTotal,
          cpu: [...stat.cpus],
          irqTotal: stat.irqTotal,
          irq: [...stat.irqs],
          contextSwitches: stat.contextSwitches,
          processCreated: stat.processesCreated,
          processRunning: stat.processesRunning,
          processBlocked: stat.processesBlocked,
          softIrqTotal: stat.softIrqTotal,
          softIrq: stat.softIrq,
        },
      ],
    };
  };
