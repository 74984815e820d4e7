import type { Handler } from "./handler.ts";

export const systemStat: Handler<"systemStat"> = (machine) => async () => {
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
