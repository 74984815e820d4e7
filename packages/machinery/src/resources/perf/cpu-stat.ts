import { defineResource, double, field, list, message, uint64, type SpecOf } from "../dsl/index.ts";

const cpuStat = message({
  user: field(1, double),
  nice: field(2, double),
  system: field(3, double),
  idle: field(4, double),
  iowait: field(5, double),
  irq: field(6, double),
  softIrq: field(7, double),
  steal: field(8, double),
  guest: field(9, double),
  guestNice: field(10, double),
});

/** Counters of the processors. */
export const CPUStat = defineResource({
  type: "CPUStats.perf.talos.dev",
  namespace: "perf",
  columns: [
    ["User", "{.cpuTotal.user}"],
    ["System", "{.cpuTotal.system}"],
  ],
  id: "latest",
  spec: {
    cpu: field(1, list(cpuStat)),
    cpuTotal: field(2, cpuStat),
    irqTotal: field(3, uint64),
    contextSwitches: field(4, uint64),
    processCreated: field(5, uint64),
    processRunning: field(6, uint64),
    processBlocked: field(7, uint64),
    softIrqTotal: field(8, uint64),
  },
});

export type CPUStatSpec = SpecOf<typeof CPUStat>;
