import { describeError, type Clock } from "@talos-ts/base";
import type { Logger, State } from "@talos-ts/cosi";
import { PhaseEvent_Action, type PhaseEvent } from "@talos-ts/proto/machine/event";
import type { EventBus } from "../events/event-bus.ts";
import { putReport } from "./put-report.ts";

export interface SequenceReports {
  readonly state: State;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly logger: Logger;
}

/** A sequence that is reported as an operation, until it ended. */
export interface ReportedSequence {
  /** @param error Why it failed. @default it did not */
  ended(error?: unknown): void;
}

/** Reports a sequence that the API was asked for: its phases are the steps. Its id is that of the call. */
export function reportSequence(machine: SequenceReports, id: string, kind: string): ReportedSequence {
  const steps: string[] = [];
  let done = 0;
  let last: Promise<void> = Promise.resolve();
  const put = (state: string, error = ""): void => {
    const next = error === "" ? "" : "talosctl events --tail -1";
    const report = { kind, title: "", steps: [...steps], done, state, error, next, deadline: "" };
    last = last
      .then(() => putReport(machine, id, report))
      .catch((err: unknown) => machine.logger.warn("operation is not reported", { id, error: describeError(err) }));
  };
  const listening = machine.events.listen(({ actorId, payload }) => {
    if (actorId !== id || payload.$typeName !== "machine.PhaseEvent") return;
    const { phase, action } = payload as PhaseEvent;
    if (action === PhaseEvent_Action.START) steps.push(phase);
    else done += 1;
    put("running");
  });
  put("running");
  return {
    ended(error) {
      listening[Symbol.dispose]();
      if (error === undefined) put("done");
      else put("failed", describeError(error));
    },
  };
}
