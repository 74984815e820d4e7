/** apid's gateway and a plain Go proxy, each before a server of its own kind, on the loopback and under the same load. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRoot, issueLeaf } from "@talos-ts/machinery/secrets";
import { buildGoPeer } from "../lib/go-peer.ts";
import { runSubject } from "../lib/run-subject.ts";
import type { Load } from "./calls.ts";
import { startDaemon, type Daemon } from "./daemon.ts";
import { writeIdentity } from "./identity.ts";
import type { LoadOptions } from "./load-options.ts";
import { median } from "./measures.ts";

/** What the load saw, and what proxy and server needed for it. */
export interface ProxyLoad extends Load {
  /** CPU time of proxy and server per call, in microseconds. */
  readonly cpuPerCall: number;
}

export interface ProxyComparison {
  readonly concurrency: number;
  readonly ours: ProxyLoad;
  readonly peer: ProxyLoad;
}

const method = "/machine.MachineService/Version";
const response = Buffer.alloc(100, 1).toString("base64");

interface Chain {
  readonly server: Daemon;
  readonly proxy: Daemon;
}

export async function compareProxies(options: LoadOptions): Promise<ProxyComparison[]> {
  const { turns, warmUpSeconds, seconds, signal } = options;
  const program = await buildGoPeer("proxy");
  const folder = await mkdtemp(join(tmpdir(), "bench-proxies-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true }));
  const now = new Date();
  const { pem } = await createRoot("os", now);
  const names = { fqdn: "proxy", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };
  const own = await writeIdentity(join(folder, "own"), pem.crt, await issueLeaf("apidServer", pem, names, { now }));
  const admin = await issueLeaf("talosconfig", pem, { roles: ["os:admin"] }, { now });
  const caller = await writeIdentity(join(folder, "caller"), pem.crt, admin);

  const start = async (command: string, args: readonly string[], name: string): Promise<Chain> => {
    const socket = join(folder, name);
    const how = { ...own, socket, response, address: "127.0.0.1:0" };
    const server = stack.use(await startDaemon(command, [...args, "serve", JSON.stringify(how)]));
    return { server, proxy: stack.use(await startDaemon(command, [...args, "proxy", JSON.stringify(how)])) };
  };
  const subject = join(import.meta.dirname, "proxy-subject.ts");
  const ours = await start(process.execPath, ["--disable-warning=ExperimentalWarning", subject], "ours");
  const peer = await start(program, [], "peer");

  const measure = async ({ server, proxy }: Chain, concurrency: number): Promise<ProxyLoad> => {
    const how = { ...caller, address: proxy.address, method, concurrency, warmUpSeconds, seconds };
    const before = server.cpuSeconds() + proxy.cpuSeconds();
    const load = await runSubject<Load>(program, ["load", JSON.stringify(how)], signal);
    const used = server.cpuSeconds() + proxy.cpuSeconds() - before;
    const calls = load.callsPerSecond * (seconds + warmUpSeconds);
    return { ...load, cpuPerCall: (used / calls) * 1e6 };
  };

  const comparisons: ProxyComparison[] = [];
  for (const concurrency of options.concurrencies) {
    const loads: [ours: ProxyLoad, peer: ProxyLoad][] = [];
    // By turns and never at once: what else the machine does then hits both alike.
    for (let turn = 0; turn < turns; turn += 1) {
      loads.push([await measure(ours, concurrency), await measure(peer, concurrency)]);
    }
    comparisons.push({
      concurrency,
      ours: medians(loads.map(([load]) => load)),
      peer: medians(loads.map(([, load]) => load)),
    });
  }
  return comparisons;
}

function medians(loads: readonly ProxyLoad[]): ProxyLoad {
  const of = (key: keyof ProxyLoad): number => median(loads.map((load) => load[key]));
  return { callsPerSecond: of("callsPerSecond"), p50: of("p50"), p99: of("p99"), cpuPerCall: of("cpuPerCall") };
}
