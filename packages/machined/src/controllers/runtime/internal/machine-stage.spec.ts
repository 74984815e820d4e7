import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { Code } from "@talos-ts/proto/common/common";
import {
  PhaseEvent_Action,
  PhaseEventSchema,
  SequenceEvent_Action,
  SequenceEventSchema,
  TaskEvent_Action,
  TaskEventSchema,
} from "@talos-ts/proto/machine/event";
import { type MachineEvent } from "../../../events/event-bus.ts";
import { initialStage, nextStage } from "./machine-stage.ts";

const { START, STOP, NOOP } = SequenceEvent_Action;
type Step = Pick<MachineEvent, "payload"> & { readonly text: string };

const sequence = (name: string, action: SequenceEvent_Action, code?: Code): Step => ({
  payload: create(SequenceEventSchema, { sequence: name, action, ...(code === undefined ? {} : { error: { code } }) }),
  text: `${name} ${SequenceEvent_Action[action]}${code === undefined ? "" : ` ${Code[code]}`}`,
});

const phase = (name: string): Step => ({
  payload: create(PhaseEventSchema, { phase: name, action: PhaseEvent_Action.START }),
  text: `phase ${name}`,
});

const maintenance = (action: TaskEvent_Action): Step => ({
  payload: create(TaskEventSchema, { task: "runningMaintenance", action }),
  text: `maintenance ${TaskEvent_Action[action]}`,
});

describe("nextStage()", () => {
  const rows: readonly [readonly Step[], string][] = [
    [[], "unknown"],
    [[sequence("initialize", START)], "booting"],
    [[sequence("initialize", START), maintenance(TaskEvent_Action.START)], "maintenance"],
    [[maintenance(TaskEvent_Action.START), maintenance(TaskEvent_Action.STOP)], "booting"],
    [[sequence("boot", START), sequence("install", START)], "booting"],
    [[sequence("install", START), phase("install")], "installing"],
    [[sequence("install", START), phase("kexec")], "rebooting"],
    [[sequence("boot", START), sequence("boot", STOP)], "running"],
    [[sequence("boot", START), sequence("boot", STOP, Code.FATAL)], "booting"],
    [[sequence("boot", START), sequence("boot", NOOP, Code.FATAL)], "rebooting"],
    [[sequence("boot", START), sequence("boot", NOOP, Code.LOCKED)], "booting"],
    [[sequence("shutdown", START), sequence("shutdown", NOOP, Code.FATAL)], "shutting down"],
    [[sequence("reset", START)], "resetting"],
    [[sequence("reboot", START)], "rebooting"],
    [[sequence("upgrade", START)], "upgrading"],
  ];
  for (const [events, stage] of rows) {
    it(`says "${stage}" after ${events.map(({ text }) => text).join(", ") || "nothing"}`, () => {
      assert.equal(events.reduce(nextStage, initialStage).stage, stage);
    });
  }
});
