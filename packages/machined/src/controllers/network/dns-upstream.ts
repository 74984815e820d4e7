import { randomInt } from "node:crypto";
import { exclusive, kindOf, reconcileController, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import { DNSUpstream, HostDNSConfig, ResolverStatus } from "@talos-ts/machinery/resources/network";
import type { Machine } from "../../machine.ts";
import { hostPort } from "../internal/addresses.ts";
import { exchangeUdp, type DnsServer } from "./dns/exchange.ts";
import { query, readQuestion } from "./dns/message.ts";

const dnsPort = 53;
const nameServerType = 2;

/** How long to wait for a server, and until the next look at all when all were well or some were not. */
const patienceMs = 2000;
const wellMs = 60_000;
const unwellMs = 5000;

export interface DnsUpstreamOptions {
  /** Resolves if a server answers. @default asks for the servers of the root zone */
  readonly probe?: (server: DnsServer, signal: AbortSignal) => Promise<void>;
}

/** The servers the host DNS asks, and whether they are well. A server is taken for well until it fails to answer. */
export function dnsUpstreamController(machine: Pick<Machine, "clock">, options: DnsUpstreamOptions = {}): Controller {
  const { probe = askForRoot } = options;
  const unwell = new Set<string>();

  async function show(context: ControllerContext, servers: readonly string[]): Promise<void> {
    for (const [index, host] of servers.entries()) {
      const id = `#${String(index).padStart(3, "0")} ${host}`;
      await context.modify(DNSUpstream, id, () => ({ addr: hostPort(host, dnsPort), healthy: !unwell.has(host) }));
    }
  }

  async function check(context: ControllerContext, host: string): Promise<void> {
    const limit = new AbortController();
    const done = new AbortController();
    machine.clock.sleep(patienceMs, done.signal).then(
      () => limit.abort(),
      () => undefined,
    );
    try {
      await probe({ host, port: dnsPort }, AbortSignal.any([context.signal, limit.signal]));
      unwell.delete(host);
    } catch {
      unwell.add(host);
    } finally {
      done.abort();
    }
  }

  return reconcileController({
    name: "network.DNSUpstreamController",
    inputs: [weak(HostDNSConfig, { id: HostDNSConfig.id }), weak(ResolverStatus, { id: ResolverStatus.id })],
    outputs: [exclusive(DNSUpstream)],
    cleanup: [kindOf(DNSUpstream)],
    async reconcile(context) {
      const config = await context.find(HostDNSConfig, HostDNSConfig.id);
      const resolvers = await context.find(ResolverStatus, ResolverStatus.id);
      if (config?.spec.enabled !== true || resolvers === undefined) return;
      // Asking itself would go round for ever.
      const own = new Set(config.spec.listenAddresses);
      const servers = resolvers.spec.dnsServers.filter((host) => !own.has(hostPort(host, dnsPort)));
      await show(context, servers);
      await Promise.all(servers.map((host) => check(context, host)));
      await show(context, servers);
      context.queueReconcile(servers.some((host) => unwell.has(host)) ? unwellMs : wellMs);
    },
  });
}

async function askForRoot(server: DnsServer, signal: AbortSignal): Promise<void> {
  const bytes = query(".", nameServerType, randomInt(0x10000));
  await exchangeUdp(bytes, readQuestion(bytes), server, signal);
}
