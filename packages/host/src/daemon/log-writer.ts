import { logLine, type Log } from "@talos-ts/base";

/** Lines that leave together; what a flood of calls adds beyond is counted, not kept. */
const maxLines = 512;
/** Longest time that a line waits for others, in ms. Each write wakes the reader of the log up, which machined is. */
const delayMs = 5;

export interface LogWriterOptions {
  /** Writes text, which may take as long as the reader of the log lets it. */
  readonly write: (text: string) => void;
  /** Calls back when the lines of a while should leave. @default after 5 ms */
  readonly schedule?: (flush: () => void) => unknown;
  /** @default the wall clock */
  readonly now?: () => Date;
}

/** A log whose lines leave together, those of a few milliseconds in one write. */
export interface LogWriter {
  readonly log: Log;
  /** Writes what waits. To be called before the process exits. */
  readonly flush: () => void;
}

/**
 * Creates a log for a daemon. A write to a pipe blocks the process, so there is one for many lines, and it is bounded: whoever
 * makes a daemon log can neither stall it nor fill its memory.
 */
export function createLogWriter({
  write,
  schedule = (flush) => setTimeout(flush, delayMs),
  now = () => new Date(),
}: LogWriterOptions): LogWriter {
  let lines: string[] = [];
  let dropped = 0;
  const flush = (): void => {
    if (lines.length === 0) return;
    if (dropped > 0) lines.push(logLine(`${String(dropped)} lines were dropped: too many at once`, now()));
    const text = `${lines.join("\n")}\n`;
    lines = [];
    dropped = 0;
    write(text);
  };
  return {
    log(line) {
      if (lines.length === 0) schedule(flush);
      if (lines.length < maxLines) lines.push(logLine(line, now()));
      else dropped += 1;
    },
    flush,
  };
}
