import { randomInt } from "node:crypto";
import { hostPort, type Clock } from "@talos-ts/base";
import { exclusive, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import { DNSUpstream, HostDNSConfig, ResolverStatus } from "@talos-ts/machinery/resources/network";
import { exchangeUdp, type DnsServer } from "../../dns/exchange.ts";
import { query, readQuestion } from "../../dns/message.ts";
import { createProbes } from "../../dns/probes.ts";

const dnsPort = 53;
const nameServerType = 2;

export interface DnsUpstreamOptions {
  /** Resolves if a server answers. @default asks for the servers of the root zone */
  readonly probe?: (server: DnsServer, signal: AbortSignal) => Promise<void>;
}

/** The servers the host DNS asks, and whether they are well. A server is taken for well until it fails to answer. */
export function dnsUpstreamController(
  machine: { readonly clock: Clock },
  options: DnsUpstreamOptions = {},
): Controller {
  const { probe = askForRoot } = options;
  return {
    name: "network.DNSUpstreamController",
    inputs: [weak(HostDNSConfig, { id: HostDNSConfig.id }), weak(ResolverStatus, { id: ResolverStatus.id })],
    outputs: [exclusive(DNSUpstream)],
    async run(context) {
      using probes = createProbes({
        clock: machine.clock,
        probe: (host, signal) => probe({ host, port: dnsPort }, signal),
        changed: () => context.queueReconcile(),
      });
      for await (const _event of context.events) {
        const servers = await wantedServers(context);
        probes.follow(servers);
        context.startTrackingOutputs();
        for (const [index, host] of servers.entries()) {
          const id = `#${String(index).padStart(3, "0")} ${host}`;
          const spec = { addr: hostPort(host, dnsPort), healthy: probes.isWell(host) };
          await context.modify(DNSUpstream, id, () => spec);
        }
        await context.cleanupOutputs({ namespace: DNSUpstream.namespace, type: DNSUpstream.type });
        context.resetRestartBackoff();
      }
    },
  };
}

async function wantedServers(context: ControllerContext): Promise<readonly string[]> {
  const config = await context.find(HostDNSConfig, HostDNSConfig.id);
  const resolvers = await context.find(ResolverStatus, ResolverStatus.id);
  if (config?.spec.enabled !== true || resolvers === undefined) return [];
  // Asking itself would go round for ever.
  const own = new Set(config.spec.listenAddresses);
  return resolvers.spec.dnsServers.filter((host) => !own.has(hostPort(host, dnsPort)));
}

async function askForRoot(server: DnsServer, signal: AbortSignal): Promise<void> {
  const bytes = query(".", nameServerType, randomInt(0x10000));
  await exchangeUdp(bytes, readQuestion(bytes), server, signal);
}
