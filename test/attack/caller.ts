/** Somebody who behaves: calls Version over a connection that stands or over new ones, in a thread of its own, and reports the times. */
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { createChannel, createClient, type ClientTls } from "@talos-ts/grpc";
import { MachineService } from "@talos-ts/proto/machine/machine";

/** Arguments of the thread. */
export interface CallerData {
  readonly target: string;
  readonly tls: ClientTls;
  /** Every call over a connection of its own. */
  readonly fresh: boolean;
}

/** Report of the thread when it is told to end. */
export interface CallerReport {
  /** Times of all calls, in ms. */
  readonly times: readonly number[];
  readonly failures: number;
  readonly firstFailure: string | undefined;
}

const { target, tls, fresh } = workerData as CallerData;
const over = new AbortController();
parentPort?.once("message", () => over.abort());

const began = performance.now();
const times: number[] = [];
let failures = 0;
let firstFailure: string | undefined;
{
  await using standing = createChannel({ target, tls });
  await createClient(MachineService, standing).version({}, { timeoutMs: 10_000 });
  parentPort?.postMessage("ready", []);
  while (!over.signal.aborted) {
    const at = performance.now();
    try {
      if (fresh) {
        await using own = createChannel({ target, tls, connectTimeoutMs: 10_000 });
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
parentPort?.postMessage({ times, failures, firstFailure } satisfies CallerReport, []);
parentPort?.close();
