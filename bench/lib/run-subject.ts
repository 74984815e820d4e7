import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a program that prints one JSON object, in a process of its own. */
export async function runSubject<T>(command: string, args: readonly string[], signal?: AbortSignal): Promise<T> {
  const { stdout } = await run(command, args, { signal });
  return JSON.parse(stdout) as T;
}
