import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleTalosctl } from "../../scripts/lib/bundle-talosctl.ts";
import { median } from "./measures.ts";

const run = promisify(execFile);

/** Path of the program that `node_modules/.bin/talosctl` leads to. */
export const launcher = join(import.meta.dirname, "../../packages/talosctl/bin/talosctl.mjs");

const runs = 11;

async function timed(command: string, args: readonly string[], signal: AbortSignal): Promise<number> {
  const started = performance.now();
  await run(command, args, { signal });
  return performance.now() - started;
}

/** Milliseconds of `talosctl version --client` from nothing to its end; the peer only if there is one. */
export async function coldStart(
  upstream: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly ours: number; readonly peer?: number }> {
  await bundleTalosctl();
  const command = ["version", "--client"];
  const ours: number[] = [];
  const peer: number[] = [];
  for (let index = 0; index < runs; index += 1) {
    ours.push(await timed(process.execPath, [launcher, ...command], signal));
    if (upstream !== undefined) peer.push(await timed(upstream, command, signal));
  }
  return { ours: median(ours), ...(upstream !== undefined && { peer: median(peer) }) };
}
