import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ClientTls } from "@talos-ts/grpc";
import type { CallerData, CallerReport } from "./caller.ts";

/** Cost of an attack to the node, and to those who behave. */
export interface Cost {
  readonly name: string;
  readonly seconds: number;
  /** Calls of Version by somebody else meanwhile, and how many failed. */
  readonly calls: number;
  readonly failures: number;
  /** Why the first of them failed. */
  readonly firstFailure: string | undefined;
  /** 99th percentile of their time, in ms. */
  readonly p99Ms: number;
  /** Most that PID 1 and apid together grew, in MiB. */
  readonly grownMegabytes: number;
  readonly alive: boolean;
}

export interface Victim {
  /** `address:port` of the API. */
  readonly target: string;
  readonly tls: ClientTls;
  /** Process ids on this host whose memory counts; the first is PID 1 of the node. */
  pids(): Promise<readonly number[]>;
}

/** Somebody who behaves, in a thread: what an attack costs the process that makes it must not count. */
interface Caller {
  /** Ends the calls. */
  end(): Promise<CallerReport>;
}

async function startCaller(workerData: CallerData): Promise<Caller> {
  const worker = new Worker(new URL("caller.ts", import.meta.url), { workerData });
  await once(worker, "message");
  return {
    async end() {
      const report = once(worker, "message") as Promise<[CallerReport]>;
      worker.postMessage("over", []);
      return (await report)[0];
    },
  };
}

/** Runs an attack while somebody who behaves calls Version, over a connection that stands and over new ones. */
export async function underAttack(name: string, victim: Victim, attack: () => Promise<void>): Promise<Cost> {
  const pids = await victim.pids();
  const before = await memory(pids);
  let most = before;
  const over = new AbortController();
  const callers: Caller[] = [];
  for (const fresh of [false, true]) callers.push(await startCaller({ target: victim.target, tls: victim.tls, fresh }));
  const began = performance.now();
  async function weigh(): Promise<void> {
    while (!over.signal.aborted) {
      most = Math.max(most, await memory(pids));
      await pause(100);
    }
  }

  const weighing = weigh();
  const reports: CallerReport[] = [];
  try {
    await attack();
    await pause(500);
  } finally {
    over.abort();
    await weighing;
    reports.push(...(await Promise.all(callers.map((caller) => caller.end()))));
  }
  const sorted = reports.flatMap(({ times }) => times).toSorted((a, b) => a - b);
  return {
    name,
    seconds: (performance.now() - began) / 1000,
    calls: sorted.length,
    failures: reports.reduce((sum, { failures }) => sum + failures, 0),
    firstFailure: reports.map(({ firstFailure }) => firstFailure).find((text) => text !== undefined),
    p99Ms: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0,
    grownMegabytes: (most - before) / 1024 / 1024,
    alive: (await victim.pids())[0] === pids[0],
  };
}

async function memory(pids: readonly number[]): Promise<number> {
  let sum = 0;
  for (const pid of pids) {
    const status = await readFile(`/proc/${String(pid)}/status`, "utf8").catch(() => "");
    sum += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
  }
  return sum;
}
