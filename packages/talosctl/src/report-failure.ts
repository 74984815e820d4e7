import { describeError, OsError } from "@talos-ts/base";
import type { Io } from "./command.ts";
import { explainFileError } from "./file-error.ts";
import { nextStep } from "./next-step.ts";

/** Describes what commander throws; the package is not loaded only to ask for its class. */
interface UsageError extends Error {
  readonly code: string;
  readonly exitCode: number;
}

const interrupted = 130;

/** Tells a person what went wrong and what to do, in two lines at most; resolves to the exit code of the process. */
export function reportFailure(err: unknown, io: Io, signal: AbortSignal): number {
  if (isUsageError(err)) {
    if (err.exitCode !== 0) io.err(`${err.message}\nnext: talosctl --help, or --help after a command\n`);
    return err.exitCode;
  }
  if (signal.aborted && OsError.from(err).kind === "cancelled") return interrupted;
  const explained = explainFileError(err);
  io.err(`${withStatus(explained)}\n`);
  const next = nextStep(explained);
  if (next !== undefined) io.err(`next: ${next}\n`);
  return exitCodeOf(explained);
}

/** Spells a refusal of the node as upstream's client does, which scripts look for. */
function withStatus(err: unknown): string {
  const text = describeError(err);
  if (OsError.from(err).kind !== "permission-denied") return text;
  return text.replaceAll(/(?<!desc = )\bnot authorized\b/g, "rpc error: code = PermissionDenied desc = not authorized");
}

/** The exit code that an error asks for, as that of a container; else 1. */
function exitCodeOf(err: unknown): number {
  const wanted = OsError.from(err).details["exitCode"];
  return typeof wanted === "number" && wanted > 0 && wanted < 256 ? wanted : 1;
}

function isUsageError(err: unknown): err is UsageError {
  return err instanceof Error && "exitCode" in err && "code" in err && String(err.code).startsWith("commander.");
}
