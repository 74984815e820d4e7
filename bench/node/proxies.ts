/** apid's gateway and a plain Go proxy, each before a server of its own kind, on the loopback and under the same load. */
import type { BenchRow } from "../lib/report.ts";
import { runSubject } from "../lib/run-subject.ts";
import type { Load } from "./calls.ts";
import { startChains, type Chain } from "./chains.ts";
import type { LoadOptions } from "./load-options.ts";
import { compareTurns, type Turn } from "./measures.ts";

/** Figures of a load, and the CPU time that proxy and server needed for it. */
interface ProxyLoad extends Load {
  /** CPU time of proxy and server per call, in microseconds. */
  readonly cpuPerCall: number;
}

const method = "/machine.MachineService/Version";
const response = Buffer.alloc(100, 1).toString("base64");

export async function compareProxies(options: LoadOptions): Promise<BenchRow[]> {
  const { turns, warmUpSeconds, seconds, signal } = options;
  await using chains = await startChains({ response });
  const { program, caller } = chains;

  const measure = async (chain: Chain, concurrency: number): Promise<ProxyLoad> => {
    const how = { ...caller, address: chain.proxy.address, method, concurrency, warmUpSeconds, seconds };
    const before = chain.cpuSeconds();
    const { callsPerSecond, p50, p99 } = await runSubject<Load>(program, ["load", JSON.stringify(how)], signal);
    const calls = callsPerSecond * (seconds + warmUpSeconds);
    return { callsPerSecond, p50, p99, cpuPerCall: ((chain.cpuSeconds() - before) / calls) * 1e6 };
  };

  const rows: BenchRow[] = [];
  for (const concurrency of options.concurrencies) {
    const loads: Turn<ProxyLoad>[] = [];
    // By turns and never at once: what else the machine does then hits both alike.
    for (let turn = 0; turn < turns; turn += 1) {
      loads.push({ ours: await measure(chains.ours, concurrency), peer: await measure(chains.peer, concurrency) });
    }
    rows.push(...rowsOf(concurrency, loads));
  }
  const memory = { name: "proxy, memory behind the load, RSS", unit: "MiB", better: "less" } as const;
  return [...rows, { ...memory, ours: chains.ours.proxy.rssMiB(), peer: chains.peer.proxy.rssMiB() }];
}

function rowsOf(concurrency: number, loads: readonly Turn<ProxyLoad>[]): BenchRow[] {
  const name = `proxy, ${concurrency === 1 ? "one call after the other" : `${String(concurrency)} calls at once`}`;
  return [
    { name, unit: "calls/s", ...compareTurns(loads, "callsPerSecond", "more") },
    { name: `${name}, p50`, unit: "ms", ...compareTurns(loads, "p50", "less") },
    { name: `${name}, p99`, unit: "ms", ...compareTurns(loads, "p99", "less") },
    { name: `${name}, CPU per call`, unit: "µs", ...compareTurns(loads, "cpuPerCall", "less") },
  ];
}
