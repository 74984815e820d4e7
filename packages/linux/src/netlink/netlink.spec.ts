import { OsError } from "@talos-ts/base";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRandom } from "@talos-ts/base/testing";
import { mutate } from "../conformance/mutate.ts";
import { decodeAddress, encodeAddress } from "../network/address-codec.ts";
import { decodeLink, encodeLinkChange } from "../network/link-codec.ts";
import { encodeLinkInfo } from "../network/link-info-codec.ts";
import { decodeNetworkEvent } from "../network/linux-monitor.ts";
import { decodeRoute, encodeRoute } from "../network/route-codec.ts";
import { decodeRule, encodeRule } from "../network/rule-codec.ts";
import { encodeAttributes, parseAttributeList } from "./attributes.ts";
import { encodeMessage, parseAnswer, parseMessages } from "./message.ts";
import { rtm } from "./route-types.ts";
import { text, u32 } from "./values.ts";

const noNamespace = (): never => assert.fail("no namespace was named");

describe("encodeAttributes()", () => {
  it("pads to four bytes and nests", () => {
    const bytes = encodeAttributes([
      { type: 3, value: text("lo") },
      { type: 18, value: [{ type: 1, value: u32(7) }] },
    ]);
    assert.equal(bytes.toString("hex"), "070003006c6f00000c0012800800010007000000");
    assert.deepEqual(
      parseAttributeList(bytes).map(([type, value]) => [type, value.length]),
      [
        [3, 3],
        [18, 8],
      ],
    );
  });
});

describe("parseAnswer()", () => {
  it("reads errno and the kernel's words", () => {
    const echoed = encodeMessage({ type: 16, flags: 0, sequence: 1, payload: Buffer.alloc(0) });
    const errno = Buffer.alloc(4);
    errno.writeInt32LE(-17);
    const words = encodeAttributes([{ type: 1, value: text("It exists") }]);
    const [message] = parseMessages(
      encodeMessage({ type: 2, flags: 0x300, sequence: 1, payload: Buffer.concat([errno, echoed, words]) }),
    );
    assert.ok(message);
    assert.deepEqual(parseAnswer(message), { errno: 17, reason: "It exists" });
  });
});

describe("codecs", () => {
  it("decodeAddress() reads what encodeAddress() writes", () => {
    const address = decodeAddress(
      encodeAddress({ address: "10.5.0.2/24", linkIndex: 3, broadcast: "10.5.0.255", label: "eth0", validSeconds: 60 }),
    );
    assert.deepEqual(address, {
      family: "inet4",
      address: "10.5.0.2/24",
      local: "10.5.0.2",
      broadcast: "10.5.0.255",
      anycast: undefined,
      multicast: undefined,
      label: "eth0",
      linkIndex: 3,
      scope: 0,
      flags: 0,
      priority: 0,
      preferredSeconds: 60,
      validSeconds: 60,
    });
  });
  it("decodeRoute() reads what encodeRoute() writes, next hops too", () => {
    const route = decodeRoute(
      encodeRoute({
        destination: "10.9.1.5/16",
        table: 1000,
        priority: 7,
        mtu: 1400,
        nextHops: [{ gateway: "10.0.0.1", linkIndex: 2, weight: 3 }, { linkIndex: 4 }],
      }),
    );
    assert.equal(route?.destination, "10.9.0.0/16");
    assert.equal(route?.table, 1000);
    assert.equal(route?.priority, 7);
    assert.equal(route?.mtu, 1400);
    assert.deepEqual(route?.nextHops, [
      { gateway: "10.0.0.1", linkIndex: 2, weight: 3 },
      { gateway: undefined, linkIndex: 4, weight: 1 },
    ]);
  });
  it("decodeRule() reads what encodeRule() writes", () => {
    const rule = decodeRule(encodeRule({ family: "inet6", source: "fd00::5/64", table: 300, firewallMark: 9 }));
    assert.equal(rule?.source, "fd00::/64");
    assert.equal(rule?.table, 300);
    assert.equal(rule?.firewallMark, 9);
  });
  it("decodeLink() reads the settings of every kind back", () => {
    for (const info of [
      { kind: "vlan", id: 42, protocol: 0x88a8 },
      { kind: "bridge", stp: true, vlanFiltering: false },
      { kind: "vrf", table: 77 },
      { kind: "bond", mode: 4, miimon: 100, lacpRate: 1, adActorSysPrio: 65535 },
      { kind: "dummy" },
    ] as const) {
      const link = decodeLink(encodeLinkChange(5, { name: "x0", mtu: 9000, info }, noNamespace));
      assert.equal(link.kind, info.kind);
      assert.equal(link.mtu, 9000);
      assert.deepEqual(link.info, info);
    }
  });
});

describe("encodeLinkInfo()", () => {
  // Captured from what iproute2 6.1 sends for the same settings.
  for (const [info, bytes] of [
    [{ kind: "vlan", id: 42, protocol: 0x88a8 }, "060001002a0000000600050088a80000"],
    [{ kind: "bond", mode: 4, miimon: 100, lacpRate: 1 }, "050001000400000008000300640000000500150001000000"],
    [{ kind: "vrf", table: 77 }, "080001004d000000"],
  ] as const) {
    it(`writes a ${info.kind} as ip does`, () => {
      assert.equal(encodeAttributes(encodeLinkInfo(info, noNamespace)).toString("hex"), bytes);
    });
  }
});

describe("netlink parsers", () => {
  it("meet random and damaged bytes only with typed errors", () => {
    const random = createRandom(20260113);
    const seeds = [
      { type: rtm.NEWLINK, payload: encodeLinkChange(5, { name: "x0", info: { kind: "bond", mode: 1 } }, noNamespace) },
      { type: rtm.NEWADDR, payload: encodeAddress({ address: "fd00::1/64", linkIndex: 3 }) },
      { type: rtm.DELROUTE, payload: encodeRoute({ nextHops: [{ gateway: "10.0.0.1", linkIndex: 2 }] }) },
      { type: rtm.NEWRULE, payload: encodeRule({ family: "inet4", source: "10.0.0.0/8", table: 5 }) },
      { type: 2, payload: Buffer.alloc(24) },
    ].map((message) => encodeMessage({ ...message, flags: 0x300, sequence: 1 }));
    for (let round = 0; round < 20_000; round++) {
      const seed = seeds[random.below(seeds.length)] ?? Buffer.alloc(0);
      const bytes = round % 4 === 0 ? random.bytes(random.below(80)) : mutate(random, seed);
      try {
        for (const message of parseMessages(bytes)) {
          decodeNetworkEvent(message);
          parseAnswer(message);
        }
      } catch (err) {
        assert.ok(err instanceof OsError, `round ${String(round)}: ${String(err)} for ${bytes.toString("hex")}`);
      }
    }
  });
});
