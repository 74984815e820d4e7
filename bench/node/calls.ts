/** `Version` through apid and through a plain Go proxy, under the same load. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contextCredentials, type TalosConfig } from "@talos-ts/machinery/talosconfig";
import { issueLeaf, type SecretsBundle } from "@talos-ts/machinery/secrets";
import { buildGoPeer } from "../lib/go-peer.ts";
import { runSubject } from "../lib/run-subject.ts";
import { startDaemon } from "./daemon.ts";
import { writeIdentity } from "./identity.ts";
import type { LoadOptions } from "./load-options.ts";
import type { Turn } from "./measures.ts";

/** Latencies and counts that the load saw, in milliseconds. */
export interface Load {
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** The last answer, in base64. */
interface Answer {
  readonly response: string;
}

export interface Comparison {
  readonly concurrency: number;
  readonly loads: readonly Turn<Load>[];
}

export interface CallsOptions extends LoadOptions {
  readonly secrets: SecretsBundle;
  readonly talosconfig: TalosConfig;
  /** Of apid. */
  readonly address: string;
}

const method = "/machine.MachineService/Version";

export async function compareCalls(options: CallsOptions): Promise<Comparison[]> {
  const { secrets, talosconfig, signal } = options;
  const program = await buildGoPeer("proxy");
  const folder = await mkdtemp(join(tmpdir(), "bench-calls-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true }));

  const context = talosconfig.contexts.get(talosconfig.context);
  const { ca, client } = context === undefined ? {} : contextCredentials(context, talosconfig.context);
  if (ca === undefined || client === undefined) throw new Error("The talosconfig of the cluster has no certificate");
  const caller = await writeIdentity(join(folder, "caller"), ca, client);
  const load = (address: string, concurrency: number, seconds = options.seconds): Promise<Load & Answer> => {
    const { warmUpSeconds } = options;
    const how = { ...caller, address, method, concurrency, warmUpSeconds, seconds };
    return runSubject<Load & Answer>(program, ["load", JSON.stringify(how)], signal);
  };

  // The peer answers with the bytes our node answers with.
  const { response } = await load(options.address, 1, 0.1);
  const names = { fqdn: "peer", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };
  const pair = await issueLeaf("apidServer", secrets.certs.os, names, { now: new Date() });
  const own = await writeIdentity(join(folder, "peer"), ca, pair);
  const socket = join(folder, "server.sock");
  stack.use(await startDaemon(program, ["serve", JSON.stringify({ socket, response })]));
  const proxy = await startDaemon(program, ["proxy", JSON.stringify({ ...own, socket, address: "127.0.0.1:0" })]);
  stack.use(proxy);

  const comparisons: Comparison[] = [];
  for (const concurrency of options.concurrencies) {
    const loads: Turn<Load>[] = [];
    // By turns and never at once: what else the machine does then hits both alike.
    for (let turn = 0; turn < options.turns; turn += 1) {
      const ours = await load(options.address, concurrency);
      loads.push({ ours, peer: await load(proxy.address, concurrency) });
    }
    comparisons.push({ concurrency, loads });
  }
  return comparisons;
}
