import { OsError } from "@talos-ts/base";
import type { LogRing } from "../logs/log-ring.ts";

/** Characters of the last log line that an event shows: a stack trace in one line must not fill the history. */
const shownCharacters = 1000;

/** Lines that are searched: programs print their whole help after an argument they do not know. */
const searchedLines = 100;

/** Describes how the process of a service ended. */
export interface Exit {
  readonly what: "task" | "process";
  readonly id: string;
  /** `null` for a process that a signal ended. */
  readonly code: number | null;
  readonly signal?: string;
}

/** Describes a service that ended by itself: what ended, how, the last thing it logged, and where the rest is. */
export function exitFailure({ what, id, code, signal }: Exit, log: LogRing): OsError {
  const last = lastWord(log);
  const how = signal === undefined ? `exit code ${String(code)}` : `killed by ${signal}`;
  const seen = last === undefined ? "" : ` (last log ${JSON.stringify(last.slice(0, shownCharacters))})`;
  return new OsError({
    kind: "unavailable",
    code: "service/exited",
    message: `${what} "${id}" failed: ${how}${seen}`,
    details: { exitCode: code, ...(signal === undefined ? {} : { signal }) },
    next: `talosctl logs ${id}`,
  });
}

/** The last line that says something. Help is not it: what is wrong stands before. */
function lastWord(log: LogRing): string | undefined {
  const lines = log.lastLines(searchedLines);
  const help = lines.findLastIndex((line) => /^usage\b/i.test(line.trim()));
  return lines.slice(0, help === -1 ? lines.length : help).findLast((line) => line.trim() !== "");
}
