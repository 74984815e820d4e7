import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundleTalosctl } from "../../scripts/lib/bundle-talosctl.ts";

const launcher = resolve(import.meta.dirname, "../../packages/talosctl/bin/talosctl.mjs");

/** The client as it ships, with a home of its own. */
export interface BenchClient extends AsyncDisposable {
  readonly home: string;
  /** Runs a command. @returns what it printed. @throws when it fails */
  run(...args: readonly string[]): Promise<string>;
  /** Destroys a cluster, also after the signal has aborted; one that does not exist is no error. */
  destroyCluster(name: string): Promise<void>;
}

/** Bundles the client. Images and the root file system come from the cache of the user. */
export async function createBenchClient(signal: AbortSignal): Promise<BenchClient> {
  await bundleTalosctl();
  const home = await mkdtemp(join(tmpdir(), "talos-bench-"));
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const env = { PATH: process.env["PATH"], HOME: home, XDG_CACHE_HOME: cache };
  const run = async (args: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<string> => {
    const child = spawn(process.execPath, [launcher, ...args], { env, ...options, stdio: ["ignore", "pipe", "pipe"] });
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (chunk: string) => void (text[name] += chunk));
    }
    // An aborted one counts until it has ended: it holds the lock of its cluster.
    child.on("error", () => undefined);
    const code = await new Promise<number | null>((resolve) => {
      child.once("close", resolve);
    });
    options.signal?.throwIfAborted();
    if (code !== 0) throw new Error(`talosctl ${args.join(" ")} ended with ${String(code)}: ${text.stderr}`);
    return text.stdout;
  };
  return {
    home,
    run: (...args) => run(args, { signal }),
    async destroyCluster(name) {
      await run(["cluster", "destroy", "--name", name]).catch(() => "");
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}
