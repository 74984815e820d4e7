import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Io } from "./command.ts";

/** Reports whether a person can answer: a pipe that nobody writes to would be waited for without end. */
export function canAsk({ input }: Io): boolean {
  return input !== undefined && "isTTY" in input && input.isTTY === true;
}

/** Asks a question on the standard error; resolves to the line that was typed, or `undefined` when the input ends. */
export async function ask(io: Io, question: string, signal: AbortSignal): Promise<string | undefined> {
  if (io.input === undefined) return undefined;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      io.err(chunk.toString());
      done();
    },
  });
  using lines = createInterface({ input: io.input, output });
  const ended = new AbortController();
  lines.once("close", () => ended.abort());
  return await lines.question(question, { signal: AbortSignal.any([signal, ended.signal]) }).catch((err: unknown) => {
    signal.throwIfAborted();
    if ((err as Error).name === "AbortError") return undefined;
    throw err;
  });
}
