import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { noteClusters } from "../../scripts/lib/suite-clusters.ts";
import { openPseudoTerminal, type PseudoTerminal } from "./pseudo-terminal.ts";

/** The client as it ships; `npm run integration` bundles it first. */
const cli = resolve(import.meta.dirname, "../../packages/talosctl/bin/talosctl.mjs");

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home of its own for clusters and client configuration, and the command line run in it. */
export interface Home extends AsyncDisposable {
  readonly path: string;
  talosctl(...args: readonly string[]): Promise<CliResult>;
  /** Writes a file into the home. @returns its path */
  write(name: string, text: string): Promise<string>;
  /** Runs a command that has no end until its output is as wished; fails when it is not after two minutes. */
  talosctlUntil(wished: RegExp, ...args: readonly string[]): Promise<string>;
  /** Runs a command in a pseudo-terminal of 110 columns and 34 rows. */
  terminal(...args: readonly string[]): PseudoTerminal;
  /** Starts a command whose output nobody reads; the caller ends it. */
  unread(...args: readonly string[]): ChildProcess;
}

/** @param existing Folder of a home that was made before. @default a new one */
export async function createHome(existing?: string): Promise<Home> {
  const path = existing ?? (await mkdtemp(join(tmpdir(), "talos-home-")));
  noteClusters({ folder: path, clustersDirectory: join(path, ".talos/clusters") });
  const env = {
    PATH: process.env["PATH"],
    HOME: path,
    XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"] ?? `${process.env["HOME"] ?? ""}/.cache`,
  };
  return {
    path,
    talosctl: (...args) =>
      new Promise((settle) => {
        const words = [cli, ...args];
        const options = { env, cwd: path, timeout: 900_000, maxBuffer: 64 * 1024 * 1024 };
        execFile(process.execPath, words, options, (err, stdout, stderr) => {
          settle({ code: err === null ? 0 : Number(err.code ?? 1), stdout, stderr });
        });
      }),
    async write(name, text) {
      await writeFile(join(path, name), text);
      return join(path, name);
    },
    async talosctlUntil(wished, ...args) {
      const words = [cli, ...args];
      const child = spawn(process.execPath, words, {
        env,
        cwd: path,
        stdio: ["ignore", "pipe", "pipe"],
        timeout: 120_000,
      });
      let text = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
          if (wished.test(text)) child.kill();
        });
      }
      await once(child, "close");
      assert.match(text, wished);
      return text;
    },
    terminal: (...args) =>
      openPseudoTerminal({ words: [process.execPath, cli, ...args], columns: 110, rows: 34, env, cwd: path }),
    unread: (...args) =>
      spawn(process.execPath, [cli, ...args], { env, cwd: path, stdio: ["ignore", "pipe", "ignore"] }),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** Asks until the answer is as wished, for things that happen in their own time; the last answer is in the error. */
export async function eventually<T>(
  ask: () => Promise<T>,
  wished: (answer: T) => boolean,
  limitMs = 180_000,
): Promise<T> {
  const until = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (wished(answer)) return answer;
    if (Date.now() > until)
      throw new Error(`not as wished within ${String(limitMs)} ms: ${JSON.stringify(answer, null, 1)}`);
    await pause(250);
  }
}

/** Process ids on this host of a control group whose command lines carry the words, one after the other. */
export async function processesWith(group: string, ...words: readonly string[]): Promise<number[]> {
  const wished = `\0${words.join("\0")}\0`;
  const found: number[] = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const groups = await readFile(`/proc/${entry}/cgroup`, "utf8").catch(() => "");
    const line = await readFile(`/proc/${entry}/cmdline`, "utf8").catch(() => "");
    if (groups.includes(group) && `\0${line}`.includes(wished)) found.push(Number(entry));
  }
  return found;
}
