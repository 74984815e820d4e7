import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addressBytes } from "@talos-ts/base/net";
import { decodeDatagram, encodeDatagram } from "./frame.ts";
import { leaseOf } from "./lease.ts";
import { decodeDhcp, encodeDhcp, options, type DhcpMessage } from "./message.ts";

const message = (given: ReadonlyMap<number, Buffer>): DhcpMessage => ({
  op: "reply",
  type: "ack",
  transaction: 0xdeadbeef,
  hardwareAddress: "02:00:00:00:00:07",
  clientAddress: "0.0.0.0",
  yourAddress: "10.0.0.7",
  options: given,
});

describe("encodeDhcp() and decodeDhcp()", () => {
  it("keep a message, also options of more than 255 bytes", () => {
    const sent = message(new Map([[options.search, Buffer.alloc(300, 7)]]));
    assert.deepEqual(decodeDhcp(encodeDhcp(sent)), sent);
  });
  it("take nothing for a message that is none", () => {
    const bytes = encodeDhcp(message(new Map()));
    for (const broken of [Buffer.alloc(0), bytes.subarray(0, 200), bytes.subarray(0, -2), Buffer.alloc(300)]) {
      assert.equal(decodeDhcp(broken), undefined);
    }
  });
});

describe("encodeDatagram() and decodeDatagram()", () => {
  it("keep a datagram, with the checksums of the RFC", () => {
    const datagram = {
      source: "10.0.0.1",
      destination: "255.255.255.255",
      sourcePort: 67,
      destinationPort: 68,
      payload: Buffer.from("abc"),
    };
    const packet = encodeDatagram(datagram);
    assert.deepEqual(decodeDatagram(packet), datagram);
    const sum = Array.from({ length: 10 }, (_, index) => packet.readUInt16BE(index * 2)).reduce((a, b) => a + b, 0);
    assert.equal((sum & 0xffff) + (sum >>> 16), 0xffff);
    assert.equal(decodeDatagram(packet.subarray(0, 25)), undefined);
  });
});

describe("leaseOf()", () => {
  it("reads routes, names, servers and times", () => {
    const seconds = Buffer.alloc(4);
    seconds.writeUInt32BE(600);
    const lease = leaseOf(
      message(
        new Map([
          [options.server, addressBytes("10.0.0.1")],
          [options.subnetMask, addressBytes("255.255.252.0")],
          [options.router, addressBytes("10.0.0.99")],
          [options.classlessRoutes, Buffer.from([24, 192, 0, 2, 10, 0, 0, 2, 0, 10, 0, 0, 1])],
          [options.dns, Buffer.concat([addressBytes("10.0.0.3"), addressBytes("10.0.0.4")])],
          [options.search, Buffer.from("\x01a\x07example\x00\x01b\xc0\x02", "latin1")],
          [options.mtu, Buffer.from([0x05, 0x78])],
          [options.hostname, Buffer.from("node\0")],
          [options.leaseSeconds, seconds],
        ]),
      ),
    );
    assert.deepEqual(lease, {
      server: "10.0.0.1",
      address: "10.0.0.7/22",
      routes: [
        { destination: "192.0.2.0/24", gateway: "10.0.0.2" },
        { destination: "", gateway: "10.0.0.1" },
      ],
      dnsServers: ["10.0.0.3", "10.0.0.4"],
      timeServers: [],
      searchDomains: ["a.example", "b.example"],
      hostname: "node",
      domain: "",
      mtu: 1400,
      renewMs: 300_000,
      rebindMs: 525_000,
      expiresMs: 600_000,
    });
    assert.equal(leaseOf(message(new Map())), undefined, "an answer without a server is no lease");
  });
});
