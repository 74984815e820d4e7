import type { Progress } from "@talos-ts/host";
import type { Io } from "../command.ts";

/** Time that a log stays silent about a stage that goes on. */
const quietMs = 30_000;

/**
 * Shows long work as lines: one for each stage that ends, and on a terminal the step it is at; elsewhere a line from time to
 * time.
 */
export function createProgress(
  io: Pick<Io, "err" | "isTerminal" | "columns">,
  now = () => performance.now(),
): Progress {
  const started = new Map<string, number>();
  let transient = false;
  let shown = now();
  const clear = (): void => {
    if (transient) io.err("\r\u001b[K");
    transient = false;
  };
  return ({ stage, state, detail, done, total }) => {
    if (!started.has(stage)) started.set(stage, now());
    const tail = detail === undefined ? "" : `: ${detail}`;
    if (state === "done" || state === "cached") {
      clear();
      const seconds = ((now() - (started.get(stage) ?? now())) / 1000).toFixed(1);
      io.err(`${stage}${tail} (${state === "cached" ? "cached" : `${seconds} s`})\n`);
      started.delete(stage);
    } else if (io.isTerminal) {
      clear();
      io.err(`${stage}${count(done, total)}${tail} …`.slice(0, io.columns - 1));
      transient = true;
    } else if (state === "step" && total === undefined && detail?.startsWith("no ") === true) {
      io.err(`${stage}${tail}\n`);
    } else if (now() - shown >= quietMs) {
      io.err(`${stage}${count(done, total)}${tail} …\n`);
    } else return;
    shown = now();
  };
}

function count(done: number | undefined, total: number | undefined): string {
  if (done === undefined) return "";
  return ` ${done}${total === undefined ? "" : `/${total}`}`;
}
