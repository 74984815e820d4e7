/**
 * A node from outside: how soon it answers, what it needs, how fast calls pass its gateway, how fast the client starts.
 *
 * `UPSTREAM_TALOSCTL` names upstream's program to compare the client with.
 */
import { cpus, loadavg } from "node:os";
import { setTimeout } from "node:timers/promises";
import { talosVersion } from "@talos-ts/machinery/constants";
import { buildRootfs, systemDaemons, type Rootfs } from "@talos-ts/imager";
import { apiPort } from "@talos-ts/provision";
import { interruptible } from "../scripts/lib/interruptible.ts";
import { publish } from "./lib/publish.ts";
import type { BenchRow } from "./lib/report.ts";
import { compareCalls, type Comparison } from "./node/calls.ts";
import { createBenchCluster } from "./node/cluster.ts";
import { coldStart } from "./node/cold-start.ts";
import { compareProxies } from "./node/proxies.ts";
import { measureState } from "./node/state.ts";
import { compareStreams } from "./node/streams.ts";
import { compareTransports } from "./node/transports.ts";
import { compareTurns, mebibyte, median } from "./node/measures.ts";
import { add, nodeMemory, type Memory, type NodeMemory } from "./node/memory.ts";

const starts = 3;
const idleMs = 20_000;
const load = { concurrencies: [64, 1], streams: [1, 8], turns: 9, warmUpSeconds: 1, seconds: 3 };
const limits = { startSeconds: 3, memoryMiB: 130 };

/** One node, several times; the last one also answers the load. */
async function startAndCall(image: Rootfs, signal: AbortSignal): Promise<[seconds: number[], calls: Comparison[]]> {
  const seconds: number[] = [];
  for (;;) {
    await using cluster = await createBenchCluster(image, 0, signal);
    seconds.push((cluster.answered[0] ?? Number.NaN) / 1000);
    if (seconds.length < starts) continue;
    const address = `${cluster.plan.nodes[0]?.address ?? ""}:${apiPort}`;
    return [seconds, await compareCalls({ ...cluster.configs, ...load, address, signal })];
  }
}

async function idleMemory(image: Rootfs, signal: AbortSignal): Promise<readonly NodeMemory[]> {
  await using cluster = await createBenchCluster(image, 1, signal);
  await setTimeout(idleMs, undefined, { signal });
  return await Promise.all(cluster.plan.nodes.map((node) => nodeMemory(cluster.plan, node)));
}

function memoryRows(title: string, { daemons, whole }: NodeMemory): BenchRow[] {
  const row = (name: string, bytes: number, limit?: number): BenchRow => ({
    name: `${title}: ${name}`,
    unit: "MiB",
    better: "less",
    ours: bytes / mebibyte,
    ...(limit !== undefined && { limit }),
  });
  const sum = daemons.reduce<Memory>(add, { rss: 0, pss: 0 });
  const names = daemons.map(({ name }) => name).join(" + ");
  return [
    ...daemons.map(({ name, rss }) => row(`${name}, RSS`, rss)),
    row(`${names}, RSS`, sum.rss, limits.memoryMiB),
    row(`${names}, PSS`, sum.pss),
    row("everything that runs, PSS", whole.pss),
  ];
}

function callRows({ concurrency, loads }: Comparison): BenchRow[] {
  const name = `Version, ${concurrency === 1 ? "one call after the other" : `${concurrency} calls at once`}`;
  return [
    { name, unit: "calls/s", ...compareTurns(loads, "callsPerSecond", "more") },
    { name: `${name}, p50`, unit: "ms", ...compareTurns(loads, "p50", "less") },
    { name: `${name}, p99`, unit: "ms", ...compareTurns(loads, "p99", "less") },
  ];
}

await interruptible(async (signal) => {
  const image = await buildRootfs({ daemons: systemDaemons(), version: talosVersion, signal });
  const upstream = process.env["UPSTREAM_TALOSCTL"];
  const client = await coldStart(upstream, signal);
  const [before] = loadavg();
  const proxies = await compareProxies({ ...load, signal });
  const streams = await compareStreams({ ...load, signal });
  const transports = await compareTransports(signal);
  const state = await measureState(upstream, signal);
  const [seconds, calls] = await startAndCall(image, signal);
  const [controlPlane, worker] = await idleMemory(image, signal);
  const range = [Math.min(...seconds), Math.max(...seconds)].map((value) => value.toFixed(2)).join(" to ");
  await publish("node", {
    title: "A node and its client",
    peer: "upstream's `talosctl` (Go), a plain gRPC proxy in Go, and limits (≤)",
    rows: [
      {
        name: "start of the container → API answers over mTLS",
        unit: "s",
        better: "less",
        ours: median(seconds),
        limit: limits.startSeconds,
      },
      ...(controlPlane === undefined ? [] : memoryRows("control plane", controlPlane)),
      ...(worker === undefined ? [] : memoryRows("worker", worker)),
      { name: "image", unit: "MiB", better: "less", ours: image.sizes.squashfs / mebibyte },
      { name: "`talosctl version --client`", unit: "ms", better: "less", ...client },
      ...calls.flatMap(callRows),
      ...proxies,
      ...streams,
      ...state,
      ...transports,
    ],
    notes: [
      `Start: median of ${starts} clusters of one node (${range} s), from before its container is made to the first successful Version call.`,
      `Memory: read from the kernel on the host, ${idleMs / 1000} s after both nodes of a cluster answered. RSS counts the pages of Node.js that the daemons share in each of them, PSS once.`,
      `Calls: medians of ${load.turns} turns by turns, as below. The load is a process in Go with one connection. Ours goes through the network of the node, apid (TLS, roles) and machined; the peer is a proxy without rules on the loopback, before a server that returns the same bytes.`,
      `Proxy: medians of ${load.turns} turns by turns; a ratio is the median of the ratios of the turns. apid's gateway with its certificates, roles, routing and quotas before our server on a unix socket, beside the Go proxy before the Go server, both on the loopback; CPU is that of proxy and server together. 64 at once come first, so that both sides are warm; in Go the calls of a proxy run on all cores, ours on one.`,
      "Streams: from the server through the proxy to one client in Go, on one connection.",
      "Watch and list: a client of ours on a unix socket; the client with the gateway and TLS between, as JSON.",
      "HTTP/2 server and client: processes that do nothing else, on our transport and on `node:http2`, each one file; start is from the start of the process, medians of 11.",
      `The host had a load of ${before?.toFixed(1) ?? "?"} on ${cpus().length} cores before the comparison of proxies: above a few tenths, rates say more about its other work, and CPU times are the better measure.`,
    ],
  });
});
