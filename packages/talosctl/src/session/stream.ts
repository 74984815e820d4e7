import { OsError, type ErrorKind } from "@talos-ts/base";
import { joinErrors, nodeErrorOf, type NodeMessage } from "@talos-ts/machinery/client";
import type { Session } from "./session.ts";

/** Kinds of the error that a signal ends a call with: one of a person, and one of a time that is over. */
const ends: ReadonlySet<ErrorKind> = new Set(["cancelled", "deadline-exceeded"]);

/**
 * Reads what nodes send until all have ended or the signal aborts, which is a clean end. A node that fails is told at
 * once and the others go on; the failure comes when all have ended.
 */
export async function readStream<M extends NodeMessage>(
  session: Session,
  messages: AsyncIterable<M>,
  signal: AbortSignal,
  use: (message: M, node: string) => void | Promise<void>,
): Promise<void> {
  const errors: OsError[] = [];
  try {
    for await (const message of messages) {
      const error = nodeErrorOf(message);
      if (error === undefined) await use(message, session.nodeOf(message));
      else errors.push(error);
    }
  } catch (err) {
    if (signal.aborted && ends.has(OsError.from(err).kind)) return;
    throw err;
  }
  if (errors.length > 0) throw joinErrors(errors);
}
