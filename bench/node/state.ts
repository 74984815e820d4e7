/** Resources over the wire: many watchers of one state, and a list of many resources by the client through the gateway. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundle } from "../lib/bundle.ts";
import type { BenchRow } from "../lib/report.ts";
import { runSubject } from "../lib/run-subject.ts";
import { launcher } from "./cold-start.ts";
import { startDaemon } from "./daemon.ts";
import { startGateway } from "./gateway.ts";
import { writeProxyIdentities } from "./identity.ts";
import { median, medians } from "./measures.ts";

interface Followed {
  readonly eventsPerSecond: number;
  readonly listMs: number;
}

const sizes = { resources: 10_000, watchers: 100, events: 500 };
const runs = 3;

/** @param upstream upstream's client, to read the same resources with; absent when there is none */
export async function measureState(upstream: string | undefined, signal: AbortSignal): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-state-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true }));
  const identities = await writeProxyIdentities(folder);
  const socket = join(folder, "socket");
  const how = JSON.stringify({ ...sizes, socket });
  const subject = await bundle(join(import.meta.dirname, "state-subject.ts"));
  stack.use(await startDaemon(process.execPath, [subject, "serve", how]));
  const { talosconfig } = stack.use(await startGateway(folder, socket, identities));
  const get = async (command: string, args: readonly string[]): Promise<number> => {
    const words = [...args, "--talosconfig", talosconfig, "get", "others", "-o", "json"];
    const started = performance.now();
    const { stdout } = await promisify(execFile)(command, words, { signal, maxBuffer: 256 * 1024 ** 2 });
    const took = performance.now() - started;
    const count = stdout.split('"metadata"').length - 1;
    if (count < sizes.resources) throw new Error(`talosctl get printed ${String(count)} resources`);
    return took;
  };

  const followed: Followed[] = [];
  const ours: number[] = [];
  const peer: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    followed.push(await runSubject<Followed>(process.execPath, [subject, "follow", how], signal));
    ours.push(await get(process.execPath, [launcher]));
    if (upstream !== undefined) peer.push(await get(upstream, []));
  }
  const { eventsPerSecond, listMs } = medians(followed);
  return [
    { name: "watch over gRPC, fan-out to 100 watchers", unit: "events/s", better: "more", ours: eventsPerSecond },
    { name: "list of 10000 resources over gRPC", unit: "ms", better: "less", ours: listMs },
    {
      name: "client: get of 10000 resources",
      unit: "ms",
      better: "less",
      ours: median(ours),
      ...(upstream !== undefined && { peer: median(peer) }),
    },
  ];
}
