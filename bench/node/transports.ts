/** Start-up and memory of our HTTP/2 beside Node's, in processes of their own that do nothing else. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../lib/bundle.ts";
import type { BenchRow } from "../lib/report.ts";
import { runSubject } from "../lib/run-subject.ts";
import { startDaemon } from "./daemon.ts";
import { medians } from "./measures.ts";

interface Start {
  readonly ms: number;
  readonly mebibytes: number;
}

const runs = 11;
const sides = ["ours", "node"] as const;

export async function compareTransports(signal: AbortSignal): Promise<BenchRow[]> {
  const subject = await bundle(join(import.meta.dirname, "transport-subject.ts"));
  const folder = await mkdtemp(join(tmpdir(), "bench-transports-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true }));
  const measured = {
    server: { ours: [] as Start[], node: [] as Start[] },
    client: { ours: [] as Start[], node: [] as Start[] },
  };
  for (let run = 0; run < runs; run += 1) {
    for (const side of sides) {
      signal.throwIfAborted();
      const socket = join(folder, `${side}-${String(run)}`);
      await using server = await startDaemon(process.execPath, [subject, "server", side, socket]);
      measured.server[side].push(JSON.parse(server.address) as Start);
      measured.client[side].push(await runSubject<Start>(process.execPath, [subject, "client", side, socket], signal));
    }
  }
  return (["server", "client"] as const).flatMap((role): BenchRow[] => {
    const [ours, peer] = [medians(measured[role].ours), medians(measured[role].node)];
    const what = role === "server" ? "server that listens" : "client with its first answer";
    return [
      { name: `HTTP/2 ${what}, start`, unit: "ms", better: "less", ours: ours.ms, peer: peer.ms },
      { name: `HTTP/2 ${what}, RSS`, unit: "MiB", better: "less", ours: ours.mebibytes, peer: peer.mebibytes },
    ];
  });
}
