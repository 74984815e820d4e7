import { once } from "node:events";
import { systemClock, type Clock, type Log } from "@talos-ts/base";
import { createServer, healthService, type ServerTls } from "@talos-ts/grpc";
import { Cluster } from "@talos-ts/proto/discovery/server";
import { connectedAddress, forwardedAddress } from "./client-address.ts";
import { clusterService } from "./cluster-service.ts";
import { rateLimit } from "./rate-limit.ts";
import { createRegistry } from "./registry.ts";

export interface DiscoveryServiceOptions {
  /** An empty host is every address of both families. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Without it, connections are not encrypted; what members tell each other is, in any case. */
  readonly tls?: ServerTls;
  /** Trusts the client addresses that a proxy in front sends. @default {false} */
  readonly behindProxy?: boolean;
  /** Another service, `host:port`, that all clients shall go to. */
  readonly redirect?: string;
  /** Interval of removing expired affiliates, in ms. @default {60_000} */
  readonly collectIntervalMs?: number;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called with the bound address when the listener opens. */
  readonly onListening?: (address: string) => void;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** The largest honest request is half of this. */
const maxRequestBytes = 16 * 1024;

/**
 * Runs the registry in which members of clusters find each other: ciphertext, in memory. Members tell it everything again
 * when it was away, so nothing has to be kept.
 *
 * Resolves when the signal aborted and the last call is over.
 */
export async function runDiscoveryService(options: DiscoveryServiceOptions): Promise<void> {
  const { log, signal, redirect, collectIntervalMs = 60_000, clock = systemClock } = options;
  const addressOf = options.behindProxy === true ? forwardedAddress : connectedAddress;
  const registry = createRegistry({ clock });
  const health = healthService();
  const server = createServer({
    interceptors: [rateLimit({ addressOf, clock })],
    maxReceiveBytes: maxRequestBytes,
    maxConcurrentStreams: 64,
    graceMs: 2000,
  });
  server.addService(
    Cluster,
    clusterService({ registry, addressOf, signal, ...(redirect !== undefined && { redirect }) }),
  );
  server.addService(health.desc, health.impl);
  const { tls } = options;
  await using listening = await server.listen({ ...options.listen, ...(tls !== undefined && { tls }) });
  log(`listening on ${listening.address} ${tls === undefined ? "without TLS" : "with TLS"}`);
  options.onListening?.(listening.address);

  async function collect(): Promise<void> {
    for (;;) {
      await clock.sleep(collectIntervalMs, signal);
      const gone = registry.collect();
      const { affiliates, clusters } = registry;
      if (gone > 0)
        log(`forgot ${String(gone)} affiliates; ${String(affiliates)} left in ${String(clusters)} clusters`);
    }
  }
  // Ends with the signal only.
  const collecting = collect().catch(() => undefined);
  if (!signal.aborted) await once(signal, "abort");
  await collecting;
  log("shutting down");
}
