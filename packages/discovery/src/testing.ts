import { createRecordingLogger } from "@talos-ts/cosi/conformance";
import { createChannel, createClient, type Client } from "@talos-ts/grpc";
import {
  createDiscoveryClient,
  type DiscoveryClient,
  type DiscoveryClientOptions,
} from "@talos-ts/machinery/discovery";
import { Cluster } from "@talos-ts/proto/discovery/server";
import { runDiscoveryService, type DiscoveryServiceOptions } from "./discovery-service.ts";

/** Helpers of the specs. */

export const clusterId = "test";
const key = Uint8Array.from({ length: 32 }, (_, index) => index * 7);

export interface RunningService extends AsyncDisposable {
  readonly address: string;
  readonly lines: readonly string[];
  /** A client of the bare protocol. */
  readonly raw: Client<typeof Cluster>;
  member(affiliateId: string, options?: Partial<DiscoveryClientOptions>): DiscoveryClient;
}

export async function startService(options: Partial<DiscoveryServiceOptions> = {}): Promise<RunningService> {
  const stop = new AbortController();
  const listening = Promise.withResolvers<string>();
  const lines: string[] = [];
  const running = runDiscoveryService({
    listen: { host: "127.0.0.1", port: 0 },
    log: (line) => lines.push(line),
    signal: stop.signal,
    onListening: listening.resolve,
    ...options,
  });
  const address = await Promise.race([listening.promise, running.then(() => "")]);
  const channel = createChannel({ target: address });
  return {
    address,
    lines,
    raw: createClient(Cluster, channel),
    member: (affiliateId, more = {}) =>
      createDiscoveryClient({
        endpoint: address,
        clusterId,
        affiliateId,
        key,
        logger: createRecordingLogger(),
        onChange: () => {},
        backoff: { initialMs: 5, maxMs: 20 },
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      await channel.close();
      stop.abort();
      await running;
    },
  };
}

/** Lets everything else happen until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
