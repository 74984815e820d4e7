import type { Resource } from "@talos-ts/cosi";
import { conntrackState, nfTablesChainPriority } from "@talos-ts/machinery/resources/enums";
import type { NfTablesChainSpec } from "@talos-ts/machinery/resources/network";
import { addressAlternatives, type NftablesRule, type NftFamily } from "./nft-addresses.ts";

/** The table that is ours alone; those of others are never touched. */
const nftTable = "inet talos";

/** A script of nft(8) that puts these chains in place of all that were there, in one transaction. */
export function nftScript(chains: readonly Resource<NfTablesChainSpec>[]): string {
  const replaced = [`add table ${nftTable}`, `delete table ${nftTable}`];
  if (chains.length === 0) return `${replaced.join("\n")}\n`;
  const bodies = chains.map(({ metadata, spec }) => {
    const { type, hook, priority, policy, rules } = spec;
    const hooked = `type ${type} hook ${hook} priority ${String(nfTablesChainPriority.toNumber(priority))}; policy ${policy};`;
    const lines = [hooked, ...rules.flatMap(nftRules)].map((line) => `    ${line}\n`).join("");
    return `  chain ${metadata.id} {\n${lines}  }\n`;
  });
  return `${replaced.join("\n")}\ntable ${nftTable} {\n${bodies.join("")}}\n`;
}

/** One rule may need several of nftables: one for each family, and for each alternative of its addresses. */
export function nftRules(rule: NftablesRule): readonly string[] {
  const [before, after] = [matchesBefore(rule), matchesAfter(rule)];
  const families = familiesOf(rule);
  const write = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" ");
  if (families === undefined) return clamps(rule).map((clamp) => write(before, after, clamp, actions(rule)));
  return families.flatMap((family) =>
    addressAlternatives(rule.matchSourceAddress, family, "saddr").flatMap((source) =>
      addressAlternatives(rule.matchDestinationAddress, family, "daddr").flatMap((destination) =>
        clamps(rule, family).map((clamp) => {
          const named = `${source}${destination}` === "" && clamp === "" ? `meta nfproto ${nfproto[family]}` : "";
          return write(before, named, source, destination, after, clamp, actions(rule));
        }),
      ),
    ),
  );
}

const nfproto = { ip: "ipv4", ip6: "ipv6" } as const;

function familiesOf(rule: NftablesRule): readonly NftFamily[] | undefined {
  const byAddress = rule.matchSourceAddress !== undefined || rule.matchDestinationAddress !== undefined;
  return byAddress ? ["ip", "ip6"] : undefined;
}

const operators = { "==": "", "!=": "!= " } as const;

function linkMatch(which: "iifname" | "oifname", match: NftablesRule["matchIIfName"]): string {
  if (match === undefined) return "";
  const names = match.interfaceName.map((name) => JSON.stringify(name)).join(", ");
  return `${which} ${operators[match.operator as keyof typeof operators]}{ ${names} }`;
}

function markText({ mask, xor }: NonNullable<NftablesRule["setMark"]>): string {
  return `meta mark & ${String(mask)} ^ ${String(xor)}`;
}

function matchesBefore(rule: NftablesRule): string {
  const { matchMark: mark, matchConntrackState: tracked } = rule;
  const states = tracked?.states.toSorted((a, b) => conntrackState.toNumber(a) - conntrackState.toNumber(b));
  return [
    linkMatch("iifname", rule.matchIIfName),
    linkMatch("oifname", rule.matchOIfName),
    mark === undefined ? "" : `${markText(mark)} == ${String(mark.value)}`,
    states === undefined ? "" : `ct state ${states.join(",")}`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function matchesAfter({ matchLayer4: layer4, matchLimit: limit }: NftablesRule): string {
  const parts: string[] = [];
  if (layer4 !== undefined) {
    const { protocol, matchSourcePort, matchDestinationPort, matchICMPType } = layer4;
    const ports = (which: string, match: typeof matchSourcePort): string =>
      `${protocol} ${which} { ${(match?.ranges ?? []).map(({ lo, hi }) => (lo === hi ? String(lo) : `${String(lo)}-${String(hi)}`)).join(", ")} }`;
    parts.push(`meta l4proto ${protocol === "icmpv6" ? "ipv6-icmp" : protocol}`);
    if (matchSourcePort !== undefined) parts.push(ports("sport", matchSourcePort));
    if (matchDestinationPort !== undefined) parts.push(ports("dport", matchDestinationPort));
    if (matchICMPType !== undefined) parts.push(`${protocol} type { ${matchICMPType.types.join(", ")} }`);
  }
  if (limit !== undefined) parts.push(`limit rate ${String(limit.packetRatePerSecond)}/second`);
  return parts.join(" ");
}

/** IPv4 and TCP headers take 40 bytes of a packet, IPv6 and TCP headers 60. */
const headerBytes = { ip: 40, ip6: 60 } as const;

function clamps({ clampMSS }: NftablesRule, only?: NftFamily): readonly string[] {
  if (clampMSS === undefined) return [""];
  return (only === undefined ? (["ip", "ip6"] as const) : [only]).map((family) => {
    const size = String(clampMSS.mtu - headerBytes[family]);
    const syn = `meta nfproto ${nfproto[family]} tcp flags & (syn | rst) == syn`;
    return `${syn} tcp option maxseg size > ${size} tcp option maxseg size set ${size}`;
  });
}

function actions({ setMark, anonymousCounter, verdict }: NftablesRule): string {
  return [
    setMark === undefined ? "" : `meta mark set ${markText(setMark)}`,
    anonymousCounter ? "counter" : "",
    verdict ?? "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}
