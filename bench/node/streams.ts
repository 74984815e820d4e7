/** Streams of large messages from the server through apid's gateway, and through a plain Go proxy. */
import type { BenchRow } from "../lib/report.ts";
import { runSubject } from "../lib/run-subject.ts";
import { startChains, type Chain } from "./chains.ts";
import { compareTurns, mebibyte, type Turn } from "./measures.ts";

export interface StreamsOptions {
  /** Streams at once on one connection. */
  readonly streams: readonly number[];
  readonly turns: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

interface Download {
  readonly mebibytesPerSecond: number;
  /** CPU time of proxy and server per MiB, in microseconds. */
  readonly cpuPerMebibyte: number;
}

const messageBytes = 32 * 1024;
const method = "/machine.MachineService/Read";

export async function compareStreams(options: StreamsOptions): Promise<BenchRow[]> {
  const { turns, warmUpSeconds, seconds, signal } = options;
  await using chains = await startChains({ messageBytes });
  const { program, caller } = chains;

  const measure = async (chain: Chain, concurrency: number): Promise<Download> => {
    const how = { ...caller, address: chain.proxy.address, method, concurrency, warmUpSeconds, seconds };
    const before = chain.cpuSeconds();
    const got = await runSubject<{ bytesPerSecond: number }>(program, ["download", JSON.stringify(how)], signal);
    const mebibytesPerSecond = got.bytesPerSecond / mebibyte;
    const all = mebibytesPerSecond * (seconds + warmUpSeconds);
    return { mebibytesPerSecond, cpuPerMebibyte: ((chain.cpuSeconds() - before) / all) * 1e6 };
  };

  const rows: BenchRow[] = [];
  for (const streams of options.streams) {
    const loads: Turn<Download>[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      loads.push({ ours: await measure(chains.ours, streams), peer: await measure(chains.peer, streams) });
    }
    const name = `proxy, 32 KiB messages, ${streams === 1 ? "1 stream" : `${String(streams)} streams`}`;
    rows.push(
      { name, unit: "MiB/s", ...compareTurns(loads, "mebibytesPerSecond", "more") },
      { name: `${name}, CPU`, unit: "µs/MiB", ...compareTurns(loads, "cpuPerMebibyte", "less") },
    );
  }
  const memory = { name: "proxy, memory behind the streams, RSS", unit: "MiB", better: "less" } as const;
  return [...rows, { ...memory, ours: chains.ours.proxy.rssMiB(), peer: chains.peer.proxy.rssMiB() }];
}
