import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createChannel, createClient, type ClientTls } from "@talos-ts/grpc";
import { MachineService } from "@talos-ts/proto/machine/machine";

/** What an attack cost the node, and those who behave. */
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

/** Runs an attack while somebody who behaves calls Version, over a connection that stands and over new ones. */
export async function underAttack(name: string, victim: Victim, attack: () => Promise<void>): Promise<Cost> {
  const [init] = await victim.pids();
  const before = await memory(victim);
  let most = before;
  const times: number[] = [];
  let failures = 0;
  let firstFailure: string | undefined;
  const over = new AbortController();
  const began = performance.now();

  await using standing = createChannel({ target: victim.target, tls: victim.tls });
  await createClient(MachineService, standing).version({}, { timeoutMs: 10_000 });

  async function behave(fresh: boolean): Promise<void> {
    while (!over.signal.aborted) {
      const at = performance.now();
      try {
        if (fresh) {
          await using own = createChannel({ target: victim.target, tls: victim.tls, connectTimeoutMs: 10_000 });
          await createClient(MachineService, own).version({}, { timeoutMs: 10_000 });
        } else await createClient(MachineService, standing).version({}, { timeoutMs: 10_000 });
      } catch (err) {
        failures += 1;
        firstFailure ??= `${fresh ? "new" : "standing"} connection, after ${(performance.now() - began).toFixed(0)} ms: ${String(err)}`;
      }
      times.push(performance.now() - at);
      await pause(fresh ? 200 : 25);
    }
  }
  async function weigh(): Promise<void> {
    while (!over.signal.aborted) {
      most = Math.max(most, await memory(victim).catch(() => most));
      await pause(100);
    }
  }

  const meanwhile = [behave(false), behave(true), weigh()];
  try {
    await attack();
    await pause(500);
  } finally {
    over.abort();
    await Promise.all(meanwhile);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return {
    name,
    seconds: (performance.now() - began) / 1000,
    calls: times.length,
    failures,
    firstFailure,
    p99Ms: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0,
    grownMegabytes: (most - before) / 1024 / 1024,
    alive: (await victim.pids())[0] === init,
  };
}

async function memory(victim: Victim): Promise<number> {
  let sum = 0;
  for (const pid of await victim.pids()) {
    const status = await readFile(`/proc/${String(pid)}/status`, "utf8").catch(() => "");
    sum += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
  }
  return sum;
}
