import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseBpfProgram } from "./bpf-program.ts";
import { describePacket } from "./describe-packet.ts";
import { createPcapReader } from "./pcap-reader.ts";

describe("parseBpfProgram()", () => {
  it("reads what tcpdump -dd and tcpdump -ddd print", () => {
    const program = [
      { op: 0x28, jt: 0, jf: 0, k: 12 },
      { op: 0x15, jt: 0, jf: 3, k: 0x86dd },
      { op: 0x6, jt: 0, jf: 0, k: 262_144 },
    ];
    const dd = "{ 0x28, 0, 0, 0x0000000c },\n{ 0x15, 0, 3, 0x000086dd },\n{ 0x6, 0, 0, 0x00040000 },\n";
    assert.deepEqual(parseBpfProgram(dd), program);
    assert.deepEqual(parseBpfProgram("3\n40 0 0 12\n21 0 3 34525\n6 0 0 262144\n"), program);
    assert.deepEqual(parseBpfProgram(" \n"), []);
  });
  it("names the line it cannot read, and a program that is cut off", () => {
    assert.throws(() => parseBpfProgram("tcp port 80"), { message: 'error parsing bpf instruction "tcp port 80"' });
    assert.throws(() => parseBpfProgram("2\n40 0 0 12"), { message: /expected 2 instructions, got 1/ });
  });
});

const header = Buffer.from("d4c3b2a10200040000000000000000000010000001000000", "hex");

function record(hex: string): Buffer {
  const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
  const head = Buffer.alloc(16);
  head.writeUInt32LE(1_700_000_000, 0);
  head.writeUInt32LE(42, 4);
  head.writeUInt32LE(bytes.length, 8);
  head.writeUInt32LE(bytes.length, 12);
  return Buffer.concat([head, bytes]);
}

const ethernet = (type: string, rest: string): string => `ffffffffffff 020000000001 ${type} ${rest}`;
const ip = (protocol: string, length: string, rest: string): string =>
  ethernet("0800", `45 00 ${length} 0000 0000 40 ${protocol} 0000 0a050002 0a050003 ${rest}`);

const cases: readonly (readonly [name: string, frame: string, line: string])[] = [
  [
    "tcp",
    ip("06", "0028", "c350 9c40 00000001 00000000 5002 ffff 0000 0000"),
    "IP 10.5.0.2.50000 > 10.5.0.3.40000: Flags [S], seq 1, win 65535, length 0",
  ],
  ["udp", ip("11", "0020", "0035 9c40 000c 0000 01020304"), "IP 10.5.0.2.53 > 10.5.0.3.40000: UDP, length 4"],
  ["icmp", ip("01", "001c", "0800 0000 0001 0001"), "IP 10.5.0.2 > 10.5.0.3: ICMP echo request, length 8"],
  ["other", ip("2f", "0018", "00000000"), "IP 10.5.0.2 > 10.5.0.3: protocol 47, length 4"],
  [
    "arp",
    ethernet("0806", "0001 0800 06 04 0001 020000000001 0a050002 000000000000 0a050003"),
    "ARP, Request who-has 10.5.0.3 tell 10.5.0.2",
  ],
  [
    "vlan",
    ethernet("8100", "0064 0806 0001 0800 06 04 0002 020000000001 0a050002 020000000002 0a050003"),
    "vlan 100, ARP, Reply 10.5.0.2 is-at 02:00:00:00:00:01",
  ],
  [
    "ipv6",
    ethernet("86dd", `60000000 0008 3a ff fe80${"00".repeat(13)}01 ff02${"00".repeat(13)}02 85000000 00000000`),
    "IP6 fe80::1 > ff02::2: ICMP6, router solicitation, length 8",
  ],
  ["llc", ethernet("88cc", "0000"), "02:00:00:00:00:01 > ff:ff:ff:ff:ff:ff, ethertype 0x88cc, length 16"],
  ["cut", "ffffffffffff0200", "[truncated packet, 8 of 8 bytes]"],
];

describe("describePacket()", () => {
  for (const [name, frame, line] of cases) {
    it(`describes ${name}`, () => {
      const [packet] = createPcapReader().add(Buffer.concat([header, record(frame)]));
      assert.ok(packet);
      assert.equal(describePacket(packet), `22:13:20.000042 ${line}`);
    });
  }
});

describe("createPcapReader()", () => {
  it("gives the same packets whatever pieces the bytes come in", () => {
    const file = Buffer.concat([header, ...cases.map(([, frame]) => record(frame))]);
    for (const size of [1, 7, 64, file.length]) {
      const reader = createPcapReader();
      const packets = [];
      for (let at = 0; at < file.length; at += size) packets.push(...reader.add(file.subarray(at, at + size)));
      assert.equal(packets.length, cases.length);
    }
  });
  it("refuses what is no pcap file", () => {
    assert.throws(() => createPcapReader().add(Buffer.alloc(24)), { code: "cli/not-pcap" });
  });
});
