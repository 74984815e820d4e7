import { describeError, type Clock } from "@talos-ts/base";
import { exclusive, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import { addressBytes } from "@talos-ts/base/net";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { DNSResolveCache, DNSUpstream, HostDNSConfig } from "@talos-ts/machinery/resources/network";
import { createLogger, detailSink } from "../../logs/logger.ts";
import type { LogStore } from "../../logs/log-store.ts";
import type { DnsServer } from "../../dns/exchange.ts";
import { createForwarder, type Forwarder } from "../../dns/forwarder.ts";
import { listenTcp, listenUdp, type Listener } from "../../dns/listeners.ts";

/** The address for pods is put on the loopback link by another controller; until then nobody can listen on it. */
const retryMs = 1000;

const listen = { udp: listenUdp, tcp: listenTcp } as const;
type Transport = keyof typeof listen;

/** The DNS server of the host: answers from its cache, from the names of the cluster's members, and from other servers. */
export function dnsResolveCacheController(machine: { readonly clock: Clock; readonly logs: LogStore }): Controller {
  const ownLog = machine.logs.open("dns-resolve-cache");
  const ownLogger = createLogger([detailSink((line) => ownLog.write(line))]);
  let servers: readonly DnsServer[] = [];
  let members = new Map<string, readonly Buffer[]>();

  async function learn(context: ControllerContext, forwarder: Forwarder, resolveMembers: boolean): Promise<void> {
    const upstreams = (await context.list(DNSUpstream)).toSorted(
      (a, b) => Number(b.spec.healthy) - Number(a.spec.healthy),
    );
    const before = servers.map(describeServer).toSorted().join(" ");
    servers = upstreams.map(({ spec }) => parseHostPort(spec.addr));
    if (servers.map(describeServer).toSorted().join(" ") !== before) {
      forwarder.forget();
      for (const logger of [context.logger, ownLogger])
        logger.info("updated dns server nameservers", { addrs: servers.map(describeServer) });
    }
    members = new Map();
    if (!resolveMembers) return;
    for (const { spec } of await context.list(Member)) {
      const name = spec.hostname.toLowerCase();
      const addresses = spec.addresses.map((address) => addressBytes(address));
      for (const known of [name, name.split(".", 1)[0] ?? name]) if (known !== "") members.set(known, addresses);
    }
  }

  return {
    name: "network.DNSResolveCacheController",
    inputs: [weak(HostDNSConfig, { id: HostDNSConfig.id }), weak(DNSUpstream), weak(Member)],
    outputs: [exclusive(DNSResolveCache)],
    async run(context) {
      const listeners = new Map<string, Listener>();
      /** Addresses that are tried again; said once. */
      const waiting = new Set<string>();
      const forwarder = createForwarder({
        clock: machine.clock,
        servers: () => servers,
        own: (name) => members.get(name),
      });
      const close = async (id: string): Promise<void> => {
        const listener = listeners.get(id);
        listeners.delete(id);
        await listener?.[Symbol.asyncDispose]();
        ownLogger.info("no longer listening", { address: id });
      };
      await using _all = {
        [Symbol.asyncDispose]: async () => void (await Promise.all([...listeners.keys()].map(close))),
      };

      for await (const _event of context.events) {
        const config = (await context.find(HostDNSConfig, HostDNSConfig.id))?.spec;
        await learn(context, forwarder, config?.resolveMemberNames === true);
        const wanted = new Map(config?.enabled === true ? config.listenAddresses.flatMap(endpoints) : []);
        for (const id of listeners.keys()) if (!wanted.has(id)) await close(id);
        context.startTrackingOutputs();
        for (const [id, { transport, address }] of wanted) {
          try {
            if (!listeners.has(id)) {
              listeners.set(id, await listen[transport](parseHostPort(address), forwarder));
              ownLogger.info("listening", { address: id });
            }
            waiting.delete(id);
            await context.modify(DNSResolveCache, id, () => ({ status: "running" }));
          } catch (err) {
            if (!waiting.has(id)) {
              context.logger.warn("cannot listen for DNS queries yet", { address: id, error: describeError(err) });
            }
            waiting.add(id);
            context.queueReconcile(retryMs);
          }
        }
        await context.cleanupOutputs({ namespace: DNSResolveCache.namespace, type: DNSResolveCache.type });
        context.resetRestartBackoff();
      }
    },
  };
}

type Endpoint = readonly [id: string, endpoint: { readonly transport: Transport; readonly address: string }];

function endpoints(address: string): readonly Endpoint[] {
  const suffix = address.startsWith("[") ? "6" : "";
  return (["udp", "tcp"] as const).map((transport) => [`${transport}${suffix}-${address}`, { transport, address }]);
}

function parseHostPort(text: string): DnsServer {
  const [, v6, v4, port] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(text) ?? [];
  return { host: v6 ?? v4 ?? "", port: Number(port) };
}

function describeServer({ host, port }: DnsServer): string {
  return `${host}:${String(port)}`;
}
