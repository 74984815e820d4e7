import { isMessage } from "@bufbuild/protobuf";
import type { MachineStage } from "@talos-ts/machinery/resources/enums";
import { Code } from "@talos-ts/proto/common/common";
import {
  PhaseEvent_Action,
  PhaseEventSchema,
  SequenceEvent_Action,
  SequenceEventSchema,
  TaskEvent_Action,
  TaskEventSchema,
  type PhaseEvent,
  type SequenceEvent,
} from "@talos-ts/proto/machine/event";
import type { MachineEvent } from "../../../events/event-bus.ts";

/** Describes what the machine is doing, as its events tell it. */
export interface StageState {
  readonly stage: MachineStage;
  /** The sequence that runs, or nothing. */
  readonly sequence: string;
}

export const initialStage: StageState = { stage: "unknown", sequence: "" };

/** Stage of a machine from the start of a sequence on. An installation that is not needed changes nothing. */
const byStart: Readonly<Record<string, MachineStage>> = {
  initialize: "booting",
  boot: "booting",
  shutdown: "shutting down",
  upgrade: "upgrading",
  stageUpgrade: "upgrading",
  maintenanceUpgrade: "upgrading",
  reset: "resetting",
  reboot: "rebooting",
};

/** Stage of a machine from the start of certain phases on. */
const byPhase: Readonly<Record<string, Readonly<Record<string, MachineStage>>>> = {
  install: { install: "installing", kexec: "rebooting" },
  upgrade: { kexec: "rebooting" },
  stageUpgrade: { kexec: "rebooting" },
  maintenanceUpgrade: { kexec: "rebooting" },
};

/** The state after one more event. */
export function nextStage(state: StageState, { payload }: Pick<MachineEvent, "payload">): StageState {
  if (isMessage(payload, SequenceEventSchema)) return afterSequence(state, payload);
  if (isMessage(payload, PhaseEventSchema)) return afterPhase(state, payload);
  if (!isMessage(payload, TaskEventSchema) || payload.task !== "runningMaintenance") return state;
  return { ...state, stage: payload.action === TaskEvent_Action.START ? "maintenance" : "booting" };
}

function afterSequence(state: StageState, { action, sequence, error }: SequenceEvent): StageState {
  if (action === SequenceEvent_Action.START) return { stage: byStart[sequence] ?? state.stage, sequence };
  if (action === SequenceEvent_Action.STOP) {
    return { stage: sequence === "boot" && error === undefined ? "running" : state.stage, sequence: "" };
  }
  // A failure ends in a reboot, unless the machine goes down anyway.
  const fatal = error?.code === Code.FATAL && sequence !== "shutdown";
  return { stage: fatal ? "rebooting" : state.stage, sequence };
}

function afterPhase(state: StageState, { action, phase }: PhaseEvent): StageState {
  if (action !== PhaseEvent_Action.START) return state;
  return { ...state, stage: byPhase[state.sequence]?.[phase] ?? state.stage };
}
