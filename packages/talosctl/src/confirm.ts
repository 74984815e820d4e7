import { OsError } from "@talos-ts/base";
import { ask, canAsk } from "./ask.ts";
import type { Io } from "./command.ts";

export interface Confirmation {
  readonly question: string;
  /** Command that does the same without asking. */
  readonly unasked: string;
  readonly signal: AbortSignal;
}

/**
 * Asks a person, who must answer `y` or `yes`.
 *
 * @throws {OsError} `cli/cannot-ask` when the standard input is not a terminal; nothing is read from it then
 */
export async function confirm(io: Io, { question, unasked, signal }: Confirmation): Promise<boolean> {
  if (!canAsk(io)) {
    throw new OsError({
      kind: "failed-precondition",
      code: "cli/cannot-ask",
      message: `Cannot ask "${question}": expected a terminal as standard input, nothing was changed`,
      next: unasked,
    });
  }
  const answer = await ask(io, `${question} (y/N): `, signal);
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}
