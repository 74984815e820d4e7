import type { Logger } from "@talos-ts/cosi";
import { randomUUID } from "node:crypto";
import { describeError } from "@talos-ts/base";
import type { SequenceName, SequenceRequest, Sequencer } from "../../sequence.ts";

/**
 * Starts a sequence that the API was asked for and does not wait for it: the caller follows it by its events.
 * @returns the id that those events carry
 */
export function startSequence(
  machine: { readonly logger: Logger; readonly sequencer: Sequencer },
  name: SequenceName,
  request: SequenceRequest = {},
  options: { readonly takeOver?: boolean } = {},
): string {
  const actorId = randomUUID();
  machine.logger.info(`${name} via API received. actor id: ${actorId}`);
  machine.sequencer.run(name, { ...request, actorId }, options).catch((err: unknown) => {
    machine.logger.error(`${name} failed`, { error: describeError(err) });
  });
  return actorId;
}
