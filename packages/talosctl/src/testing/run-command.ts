import { spawn } from "node:child_process";
import { commandEntries } from "../commands/index.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { runProgram } from "../program.ts";
import { reportFailure } from "../report-failure.ts";

/** Describes what a command printed, and how it ended. */
export interface Result {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

export interface RunCommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the command, as Ctrl-C does, as soon as this holds of its output, or of what it tells. */
  readonly enough?: (text: string) => boolean;
  /** Program to run instead of the sources. Default: `TALOSCTL_UNDER_TEST`, which is the bundle in `npm test`. */
  readonly program?: string;
  /** True when a person sits in front of it; a program of its own has none. @default {false} */
  readonly isTerminal?: boolean;
  /** Terminal that the command takes over. @default none */
  readonly terminal?: Terminal;
}

/**
 * Runs one command line of the client and returns what it printed; bytes beyond text are one character each.
 *
 * Runs the sources in this process, or the program that `TALOSCTL_UNDER_TEST` names in one of its own, so that the same tests
 * are for both. What needs a terminal runs from the sources.
 */
export function runCommand(argv: readonly string[], options: RunCommandOptions = {}): Promise<Result> {
  const program = options.program ?? process.env["TALOSCTL_UNDER_TEST"] ?? "";
  return program === "" || options.isTerminal === true || options.terminal !== undefined
    ? runSources(argv, options)
    : runBundle(program, argv, options);
}

async function runSources(
  argv: readonly string[],
  { env = {}, enough, isTerminal = false, terminal }: RunCommandOptions,
): Promise<Result> {
  const abort = new AbortController();
  let out = "";
  let err = "";
  const io = {
    out: (text: string | Uint8Array) => {
      out += typeof text === "string" ? text : Buffer.from(text).toString("latin1");
      if (enough?.(out) === true) abort.abort();
    },
    err: (text: string) => {
      err += text;
      if (enough?.(err) === true) abort.abort();
    },
    env,
    isTerminal,
    columns: 80,
    terminal,
  };
  const options = { name: "talosctl", description: "", entries: commandEntries, io, signal: abort.signal };
  const code = await runProgram(options, argv).then(
    () => 0,
    (failure: unknown) => reportFailure(failure, io, abort.signal),
  );
  return { out, err, code };
}

function runBundle(path: string, argv: readonly string[], { env = {}, enough }: RunCommandOptions): Promise<Result> {
  const child = spawn(process.execPath, [path, ...argv], { env: { ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (enough?.(textOf(chunks)) === true) child.kill("SIGINT");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
    if (enough?.(err) === true) child.kill("SIGINT");
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ out: textOf(chunks), err, code: code ?? 1 }));
  });
}

/** Decodes UTF-8; what is none, the content of a binary file, becomes one character per byte. */
function textOf(chunks: readonly Buffer[]): string {
  const bytes = Buffer.concat(chunks);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}
