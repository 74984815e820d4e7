import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { OsError } from "@talos-ts/base";
import type { Io } from "./command.ts";

/**
 * Asks a person, who must answer `y` or `yes`.
 *
 * @throws `cli/cannot-ask` when there is nobody to ask.
 */
export async function confirm(io: Io, question: string, signal: AbortSignal): Promise<boolean> {
  if (io.input === undefined) {
    throw new OsError({
      kind: "failed-precondition",
      code: "cli/cannot-ask",
      message: `Cannot prompt "${question}": there is no standard input`,
    });
  }
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      io.err(chunk.toString());
      done();
    },
  });
  using lines = createInterface({ input: io.input, output });
  const ended = new AbortController();
  lines.once("close", () => ended.abort());
  const answer = await lines
    .question(`${question} (y/N): `, { signal: AbortSignal.any([signal, ended.signal]) })
    .catch((err: unknown) => {
      signal.throwIfAborted();
      // The input ended without an answer.
      if ((err as Error).name === "AbortError") return "";
      throw err;
    });
  return /^y(?:es)?$/i.test(answer.trim());
}
