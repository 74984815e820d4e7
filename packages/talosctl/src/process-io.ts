import { once } from "node:events";
import type { Io } from "./command.ts";
import { processTerminal } from "./terminal/terminal.ts";

/** The terminal, pipe or file that the process was started with. */
export function processIo(process: NodeJS.Process): Io {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on("error", (err: NodeJS.ErrnoException) => {
    process.exit(err.code === "EPIPE" ? 0 : 1);
  });
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    drained: async (signal) => {
      if (!process.stdout.writableNeedDrain || signal.aborted) return;
      // An interrupted command ends, whatever its reader does.
      await once(process.stdout, "drain", { signal }).catch(() => undefined);
    },
    env: process.env,
    isTerminal: process.stderr.isTTY,
    columns: process.stderr.columns ?? 80,
    // Opened by the few commands that read it: that takes longer than most of them.
    get input() {
      return process.stdin;
    },
    get terminal() {
      return processTerminal(process);
    },
  };
}
