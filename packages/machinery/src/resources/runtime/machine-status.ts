import { bool, defineResource, field, list, message, text, type SpecOf } from "../dsl/index.ts";
import { machineStage } from "../enums/index.ts";

const unmetCondition = message({
  name: field(1, text),
  reason: field(2, text),
});

const machineStatusStatus = message({
  ready: field(1, bool),
  unmetConditions: field(2, list(unmetCondition)),
});

/** Stage of the machine, its readiness, and unmet conditions. */
export const MachineStatus = defineResource({
  type: "MachineStatuses.runtime.talos.dev",
  namespace: "runtime",
  columns: [
    ["Stage", "{.stage}"],
    ["Ready", "{.status.ready}"],
  ],
  id: "machine",
  spec: {
    stage: field(1, machineStage),
    status: field(2, machineStatusStatus),
  },
});

export type MachineStatusSpec = SpecOf<typeof MachineStatus>;
