import { spawn } from "node:child_process";
import { OsError } from "@talos-ts/base";

/** Settings of `runTool`. */
export interface ToolOptions {
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Written to the tool's standard input, which is closed afterwards. */
  readonly input?: string;
  /** Called with every complete line of standard output. */
  readonly onLine?: (line: string) => void;
  /** Called with every complete line of standard error. */
  readonly onErrorLine?: (line: string) => void;
}

/** Output of a program that exited with status 0. */
export interface ToolResult {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program of the host and returns what it printed.
 *
 * The environment is reduced to `PATH`, `HOME` and a fixed locale, so that the result depends on the arguments alone.
 *
 * @throws OsError `tool/missing` when the program does not exist, `tool/failed` when it exits with another status
 *   than 0; the message ends with the last lines the program wrote to standard error.
 */
export async function runTool(
  command: string,
  args: readonly string[],
  options: ToolOptions = {},
): Promise<ToolResult> {
  options.signal?.throwIfAborted();
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...baseEnvironment(), ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  let stdout = "";
  let stderr = "";
  const onOut = splitLines(options.onLine);
  const onError = splitLines(options.onErrorLine);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    onOut(text);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    onError(text);
  });
  // A program that ends without reading its input is judged by its status, not by the broken pipe.
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");

  const status = await new Promise<number | string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  }).catch((err: unknown) => {
    options.signal?.throwIfAborted();
    throw missingTool(command, err);
  });
  if (status === 0) return { stdout, stderr };
  throw new OsError({
    kind: "internal",
    code: "tool/failed",
    message: `Command "${[command, ...args].join(" ").slice(0, 300)}" failed: expected status 0, got ${status}: ${lastLines(stderr)}`,
    details: { command, status, stderr: stderr.slice(-4096) },
  });
}

/** Hands on complete lines of a text that comes in pieces. */
function splitLines(onLine: ((line: string) => void) | undefined): (text: string) => void {
  if (onLine === undefined) return () => {};
  let pending = "";
  return (text) => {
    const lines = (pending + text).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  };
}

/** Gives the environment programs of the host run with: `PATH`, `HOME` and a fixed locale. */
export function baseEnvironment(): Record<string, string> {
  return {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: process.env["HOME"] ?? "/root",
    LC_ALL: "C.UTF-8",
  };
}

function missingTool(command: string, cause: unknown): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "tool/missing",
    message: `Cannot run "${command}": there is no such program on this machine`,
    details: { command },
    cause,
  });
}

function lastLines(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? "it printed no error" : lines.slice(-4).join(" | ");
}
