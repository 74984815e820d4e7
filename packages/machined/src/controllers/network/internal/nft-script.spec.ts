import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { NfTablesChain } from "@talos-ts/machinery/resources/network";
import { nftRules, nftScript } from "./nft-script.ts";

type Rule = NonNullable<NonNullable<Parameters<typeof NfTablesChain.spec>[0]>["rules"]>[number];

const write = (rule: Rule): readonly string[] => NfTablesChain.spec({ rules: [rule] }).rules.flatMap(nftRules);

describe("nftRules()", () => {
  it("writes one rule for each family that has an address", () => {
    assert.deepEqual(
      write({
        matchSourceAddress: {
          includeSubnets: ["10.0.0.0/8", "10.1.0.0/16", "2001:db8::/32"],
          excludeSubnets: ["10.9.0.0/16"],
        },
        matchLayer4: {
          protocol: "tcp",
          matchDestinationPort: {
            ranges: [
              { lo: 22, hi: 22 },
              { lo: 80, hi: 90 },
            ],
          },
        },
        anonymousCounter: true,
        verdict: "accept",
      }),
      [
        "ip saddr { 10.0.0.0/8 } ip saddr != { 10.9.0.0/16 } meta l4proto tcp tcp dport { 22, 80-90 } counter accept",
        "ip6 saddr { 2001:db8::/32 } meta l4proto tcp tcp dport { 22, 80-90 } counter accept",
      ],
    );
  });
  it("writes the opposite of networks without their exceptions as alternatives", () => {
    const networks = { includeSubnets: ["10.0.0.0/8"], excludeSubnets: ["10.9.0.0/16"], invert: true };
    assert.deepEqual(write({ matchSourceAddress: networks, verdict: "drop" }), [
      "ip saddr != { 10.0.0.0/8 } drop",
      "ip saddr { 10.9.0.0/16 } drop",
      "meta nfproto ipv6 drop",
    ]);
    assert.deepEqual(write({ matchSourceAddress: { includeSubnets: [] }, verdict: "accept" }), []);
  });
  it("writes links, marks, states, ICMP types, limits and the size of segments", () => {
    assert.deepEqual(
      write({
        matchIIfName: { interfaceName: ["lo", "eth0"], operator: "!=" },
        matchMark: { mask: 0x60, xor: 0, value: 0x20 },
        matchConntrackState: { states: ["related", "established"] },
        matchLayer4: { protocol: "icmp", matchICMPType: { types: [13, 14] } },
        matchLimit: { packetRatePerSecond: 5 },
        setMark: { mask: 0xff, xor: 3 },
      }),
      [
        'iifname != { "lo", "eth0" } meta mark & 96 ^ 0 == 32 ct state established,related meta l4proto icmp ' +
          "icmp type { 13, 14 } limit rate 5/second meta mark set meta mark & 255 ^ 3",
      ],
    );
    assert.deepEqual(write({ clampMSS: { mtu: 1420 } }), [
      "meta nfproto ipv4 tcp flags & (syn | rst) == syn tcp option maxseg size > 1380 tcp option maxseg size set 1380",
      "meta nfproto ipv6 tcp flags & (syn | rst) == syn tcp option maxseg size > 1360 tcp option maxseg size set 1360",
    ]);
  });
});

describe("nftScript()", () => {
  it("replaces the whole table, and nothing but the table", () => {
    const spec = NfTablesChain.spec({ type: "filter", hook: "input", priority: "filter", policy: "drop" });
    assert.equal(
      nftScript([createResource(NfTablesChain, "ingress", spec)]),
      `add table inet talos
delete table inet talos
table inet talos {
  chain ingress {
    type filter hook input priority 0; policy drop;
  }
}
`,
    );
    assert.equal(nftScript([]), "add table inet talos\ndelete table inet talos\n");
  });
});
