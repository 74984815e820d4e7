import { OsError } from "@talos-ts/base";
import type { Io } from "./command.ts";
import { explainFileError } from "./file-error.ts";
import { nextStep } from "./next-step.ts";
import { describeFailure } from "./rpc-status.ts";

const interrupted = 130;

/** Tells a person what went wrong and what to do, in two lines at most; resolves to the exit code of the process. */
export function reportFailure(err: unknown, io: Io, signal: AbortSignal): number {
  if (isHelpShown(err)) return 0;
  if (signal.aborted && OsError.from(err).kind === "cancelled") return interrupted;
  const explained = explainFileError(err);
  io.err(`${describeFailure(explained).trimEnd()}\n`);
  const next = nextStep(explained);
  if (next !== undefined) io.err(`next: ${next}\n`);
  return exitCodeOf(explained);
}

/** The exit code that an error asks for, as that of a container; else 1. */
function exitCodeOf(err: unknown): number {
  const wanted = OsError.from(err).details["exitCode"];
  return typeof wanted === "number" && wanted > 0 && wanted < 256 ? wanted : 1;
}

/** Knows what commander throws after help; the package is not loaded only to ask for its class. */
function isHelpShown(err: unknown): boolean {
  return err instanceof Error && "exitCode" in err && err.exitCode === 0 && "code" in err;
}
