import type { Writable } from "node:stream";

/** Shows what a test does, and keeps what its commands print. */
export interface Reporter {
  /** Takes a line of output: into the log, and on a terminal the line at which the step is. */
  readonly line: (line: string) => void;
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** A step that fails unless its command exits with 0; then the last lines of its output are shown. */
  command(title: string, work: () => Promise<number>): Promise<void>;
  skip(title: string, reason: string): void;
}

/** Output that shows progress; on a terminal the line of the current step is written anew. */
export type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number };

const shownLines = 40;

export function createReporter(subject: string, log: Writable, out: Screen = process.stderr): Reporter {
  let recent: string[] = [];
  let current = "";
  const line = (text: string): void => {
    log.write(`${text}\n`);
    recent = [...recent.slice(1 - shownLines), text];
    if (out.isTTY === true) out.write(`\r\u001b[K${current} ${text}`.slice(0, (out.columns ?? 80) - 1));
  };
  const step: Reporter["step"] = async (title, work) => {
    const started = performance.now();
    recent = [];
    current = `▸ ${subject}: ${title} …`;
    log.write(`\n$ ${title}\n`);
    out.write(out.isTTY === true ? current : `${current} `);
    const end = (result: string): void => {
      const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
      out.write(`${out.isTTY === true ? `\r\u001b[K${current} ` : ""}${result}, ${took}\n`);
    };
    try {
      const result = await work();
      end("ok");
      return result;
    } catch (err) {
      end("failed");
      throw err;
    }
  };
  return {
    line,
    step,
    async command(title, work) {
      await step(title, async () => {
        const status = await work();
        if (status === 0) return;
        throw new Error(`${subject}: "${title}" ended with status ${status}; its last lines:\n${recent.join("\n")}`);
      });
    },
    skip(title, reason) {
      out.write(`▸ ${subject}: ${title} … left out: ${reason}\n`);
    },
  };
}
