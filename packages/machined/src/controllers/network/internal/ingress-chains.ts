import { addressOf, isIPv6 } from "@talos-ts/base/net";
import {
  documentOf,
  documentsOf,
  networkDefaultActionConfig,
  networkRuleConfig,
  type Config,
  type DocumentOf,
} from "@talos-ts/machinery/config";
import { nfTablesChainPriority } from "@talos-ts/machinery/resources/enums";
import { NfTablesChain, type NfTablesChainSpec } from "@talos-ts/machinery/resources/network";
import { podSubnets, serviceSubnets } from "../../internal/cluster-networks.ts";

type Rule = NonNullable<NonNullable<Parameters<typeof NfTablesChain.spec>[0]>["rules"]>[number];

/** Describes what an ingress firewall is made of. */
export interface IngressFirewall {
  readonly blocks: boolean;
  readonly rules: readonly DocumentOf<typeof networkRuleConfig>[];
}

/** The ingress firewall of a configuration; `undefined` when nothing is filtered. */
export function ingressFirewall(config: Config): IngressFirewall | undefined {
  const blocks = documentOf(config, networkDefaultActionConfig)?.ingress === "block";
  const rules = documentsOf(config, networkRuleConfig);
  return blocks || rules.length > 0 ? { blocks, rules } : undefined;
}

const accept = { anonymousCounter: true, verdict: "accept" } as const;
const drop = { anonymousCounter: true, verdict: "drop" } as const;
const accepting = (match: Rule): Rule => Object.assign({}, match, accept);
const dropping = (match: Rule): Rule => Object.assign({}, match, drop);

/** Links inside the machine or the cluster. */
const trusted: Rule = { matchIIfName: { interfaceName: ["lo", "siderolink", "kubespan"], operator: "==" }, ...accept };

/** Timestamp and address mask, requests and replies: they tell strangers about the clock and the network (CVE-1999-0524). */
const tellingIcmpTypes = [13, 14, 17, 18];

const icmpPerSecond = 5;

const hostDnsPort = { ranges: [{ lo: 53, hi: 53 }] };
const hostDnsAddresses = { ipv4: "169.254.116.108/32", ipv6: "fd54:616c:6f73:0:4b38:7333:444e:5300/128" };

/** The chain of packets for this machine. */
export function ingressChain(config: Config, firewall: IngressFirewall): NfTablesChainSpec {
  return NfTablesChain.spec({
    type: "filter",
    hook: "input",
    priority: nfTablesChainPriority.fromNumber(nfTablesChainPriority.toNumber("mangle") + 10),
    policy: firewall.blocks ? "drop" : "accept",
    rules: [
      trusted,
      ...(firewall.blocks ? [...alwaysAllowed, ...kubernetesRules(config)] : []),
      ...firewall.rules.map((rule) => configuredRule(rule, firewall)),
    ],
  });
}

/** The chain of packets before kube-proxy sends some of them elsewhere: services on ports of the node are filtered too. */
export function preroutingChain(firewall: IngressFirewall, nodeAddresses: readonly string[]): NfTablesChainSpec {
  const own = nodeAddresses.map(addressOf).map((address) => `${address}/${isIPv6(address) ? "128" : "32"}`);
  return NfTablesChain.spec({
    type: "filter",
    hook: "prerouting",
    priority: nfTablesChainPriority.fromNumber(nfTablesChainPriority.toNumber("nat-dest") - 10),
    policy: "accept",
    rules: [
      trusted,
      { matchDestinationAddress: { includeSubnets: own, invert: true }, ...accept },
      ...firewall.rules.map((rule) => configuredRule(rule, firewall, "new")),
      ...(firewall.blocks
        ? (["tcp", "udp"] as const).map((protocol) =>
            dropping({ matchConntrackState: { states: ["new"] }, matchLayer4: { protocol } }),
          )
        : []),
    ],
  });
}

const alwaysAllowed: readonly Rule[] = [
  { matchConntrackState: { states: ["established", "related"] }, ...accept },
  { matchConntrackState: { states: ["invalid"] }, ...drop },
  { matchLayer4: { protocol: "icmp", matchICMPType: { types: tellingIcmpTypes } }, ...drop },
  ...(["icmp", "icmpv6"] as const).map((protocol) =>
    accepting({ matchLayer4: { protocol }, matchLimit: { packetRatePerSecond: icmpPerSecond } }),
  ),
];

function kubernetesRules({ cluster, machine }: Config): readonly Rule[] {
  if (cluster === undefined) return [];
  const pods = podSubnets(cluster);
  const inside = { includeSubnets: [...pods, ...serviceSubnets(cluster)] };
  const hostDns = [hostDnsAddresses.ipv4, ...(pods.some(isIPv6) ? [hostDnsAddresses.ipv6] : [])];
  const forwards = machine?.features?.hostDNS?.forwardKubeDNSToHost === true;
  return [
    ...(forwards ? (["udp", "tcp"] as const) : []).map((protocol) =>
      accepting({
        matchSourceAddress: inside,
        matchDestinationAddress: { includeSubnets: hostDns },
        matchLayer4: { protocol, matchDestinationPort: hostDnsPort },
      }),
    ),
    { matchSourceAddress: inside, matchDestinationAddress: inside, ...accept },
  ];
}

/** Returns what a rule lets in is accepted by a firewall that blocks; one that accepts drops everything else to its ports. */
function configuredRule(
  rule: DocumentOf<typeof networkRuleConfig>,
  { blocks }: IngressFirewall,
  connections?: "new",
): Rule {
  const { ingress = [], portSelector: { ports = [], protocol = "tcp" } = {} } = rule;
  const ranges = ports
    .map((range) => range.split("-").map(Number))
    .map(([lo = 0, hi = lo]) => ({ lo, hi }))
    .toSorted((a, b) => a.lo - b.lo);
  const hasPorts = protocol === "tcp" || protocol === "udp";
  return {
    ...(connections === undefined ? {} : { matchConntrackState: { states: [connections] } }),
    matchSourceAddress: {
      includeSubnets: ingress.flatMap(({ subnet }) => subnet ?? []),
      excludeSubnets: ingress.flatMap(({ except }) => except ?? []),
      invert: !blocks,
    },
    matchLayer4: { protocol, ...(hasPorts ? { matchDestinationPort: { ranges } } : {}) },
    ...(blocks ? accept : drop),
  };
}
