import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Environment of steps that start a process for every test file: compiled modules are kept, types already stripped, which halves
 * the time of each. Node.js compares the sources, so nothing stale is used.
 */
export const compileCache = { NODE_COMPILE_CACHE: join(root, ".cache/compile") };

export interface StepOptions {
  /** Let the command write to the terminal itself instead of showing its output only on failure. */
  readonly inherit?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Runs one command as a named step: a line of progress, the time it took, and its output only when it fails. */
export async function step(
  title: string,
  command: string,
  args: readonly string[],
  options: StepOptions = {},
): Promise<void> {
  const started = performance.now();
  const inherit = options.inherit ?? false;
  process.stderr.write(inherit ? `▸ ${title}\n` : `▸ ${title} … `);
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", inherit ? "inherit" : "pipe", inherit ? "inherit" : "pipe"],
  });
  const output: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => output.push(chunk));
  const status = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  if (status === 0) {
    process.stderr.write(inherit ? `▸ ${title}: ok, ${took}\n` : `ok, ${took}\n`);
    return;
  }
  process.stderr.write(`failed, ${took}\n${Buffer.concat(output).toString()}\n$ ${command} ${args.join(" ")}\n`);
  process.exit(status);
}
