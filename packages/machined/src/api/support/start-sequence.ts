import { randomUUID } from "node:crypto";
import { describeError } from "@talos-ts/base";
import { reportSequence, type SequenceReports } from "../../operations/report-sequence.ts";
import type { SequenceName, SequenceRequest, Sequencer } from "../../sequence.ts";

/** Describes what starting a sequence on behalf of a caller needs of the machine. */
export interface StartSequenceDependencies extends SequenceReports {
  readonly sequencer: Sequencer;
}

/**
 * Starts a sequence that the API was asked for and does not wait for it: the caller follows it by its events, or as an operation.
 * @returns the id that those events carry, which is also that of the operation
 */
export function startSequence(
  machine: StartSequenceDependencies,
  name: SequenceName,
  request: SequenceRequest = {},
  options: { readonly takeOver?: boolean } = {},
): string {
  const actorId = randomUUID();
  machine.logger.info(`${name} via API received. actor id: ${actorId}`);
  const reported = reportSequence(machine, actorId, name);
  machine.sequencer.run(name, { ...request, actorId }, options).then(
    () => reported.ended(),
    (err: unknown) => {
      reported.ended(err);
      machine.logger.error(`${name} failed`, { error: describeError(err) });
    },
  );
  return actorId;
}
