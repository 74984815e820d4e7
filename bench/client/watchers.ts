/** Many watchers of the events of one live node, until all have heard of one thing. */
import { createChannel, createClient } from "@talos-ts/grpc";
import { tlsPrivateKey } from "@talos-ts/crypto";
import type { Rootfs } from "@talos-ts/imager";
import { maxCallsPerCaller } from "@talos-ts/machinery/constants";
import { issueLeaf } from "@talos-ts/machinery/secrets";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { apiPort } from "@talos-ts/provision";
import type { BenchRow } from "../lib/report.ts";
import { createBenchCluster } from "../node/cluster.ts";
import { mebibyte } from "../node/measures.ts";
import { nodeMemory, type DaemonName, type NodeMemory } from "../node/memory.ts";

const watchers = 1000;
/** A caller has a bound of open calls at a node. */
const watchersPerCaller = Math.min(100, maxCallsPerCaller);

export async function measureWatchers(image: Rootfs, signal: AbortSignal): Promise<BenchRow[]> {
  await using cluster = await createBenchCluster(image, 0, signal);
  const { plan, configs } = cluster;
  const [node] = plan.nodes;
  if (node === undefined) throw new Error("The cluster has no node");
  await using stack = new AsyncDisposableStack();
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const { os } = configs.secrets.certs;
  const client = async () => {
    const { crt, key } = await issueLeaf("talosconfig", os, { roles: ["os:admin"] }, { now: new Date() });
    const material = { ca: os.crt, cert: crt, key: tlsPrivateKey(key) };
    return createClient(
      MachineService,
      stack.use(createChannel({ target: `${node.address}:${String(apiPort)}`, tls: { material } })),
    );
  };
  const callers = await Promise.all(Array.from({ length: Math.ceil(watchers / watchersPerCaller) }, client));
  const [first] = callers;
  if (first === undefined) throw new Error("There is no caller");
  await Promise.all(callers.map((caller) => caller.version({}, { signal })));

  const before = await nodeMemory(plan, node);
  const started = performance.now();
  // Each has one event of the past, and then one that is made when all watch.
  const past: PromiseWithResolvers<void>[] = [];
  const live: PromiseWithResolvers<void>[] = [];
  const reading = Array.from({ length: watchers }, async (_, index) => {
    const caller = callers[Math.floor(index / watchersPerCaller)] ?? first;
    const [old, fresh] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    past.push(old);
    live.push(fresh);
    // Whichever is waited for tells of a failure.
    for (const { promise } of [old, fresh]) promise.catch(() => undefined);
    let seen = 0;
    try {
      for await (const { data } of caller.events({ tailEvents: 1 }, { signal: either })) {
        if (data === undefined || data.typeUrl === "") continue;
        seen += 1;
        if (seen === 1) old.resolve();
        else if (data.typeUrl.endsWith("ServiceStateEvent")) fresh.resolve();
      }
    } catch (err) {
      old.reject(err);
      fresh.reject(err);
    }
  });
  await Promise.all(past.map(({ promise }) => promise));
  const firstMs = performance.now() - started;
  const made = performance.now();
  const trustd = before.daemons.find(({ name }) => name === "trustd");
  if (trustd === undefined) throw new Error("The node has no trustd");
  process.kill(trustd.pid, "SIGKILL");
  await Promise.all(live.map(({ promise }) => promise));
  const liveMs = performance.now() - made;
  const after = await nodeMemory(plan, node);
  stop.abort();
  await Promise.allSettled(reading);

  const of = ({ daemons }: NodeMemory, name: DaemonName) =>
    daemons.find((daemon) => daemon.name === name) ?? { rss: Number.NaN, cpuSeconds: Number.NaN };
  const title = `${String(watchers)} watchers of events`;
  const row = (name: string, unit: string, value: number): BenchRow => ({
    name: `${title}: ${name}`,
    unit,
    better: "less",
    ours: value,
  });
  return [
    row("until all have one", "ms", firstMs),
    row("until all have one that is made then", "ms", liveMs),
    ...(["machined", "apid"] as const).flatMap((name) => [
      row(`${name}, RSS more`, "MiB", (of(after, name).rss - of(before, name).rss) / mebibyte),
      row(`${name}, CPU`, "ms", (of(after, name).cpuSeconds - of(before, name).cpuSeconds) * 1000),
    ]),
  ];
}
