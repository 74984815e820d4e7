import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLinuxNetworks } from "./linux-network.ts";
import type { BpfInstruction } from "./packet-capture.ts";

/** Accepts UDP over IPv4 to one port, up to 64 bytes: `tcpdump -dd 'udp dst port …'` without fragments and options. */
const udpTo = (port: number): readonly BpfInstruction[] => [
  { op: 0x28, jt: 0, jf: 0, k: 12 },
  { op: 0x15, jt: 0, jf: 5, k: 0x0800 },
  { op: 0x30, jt: 0, jf: 0, k: 23 },
  { op: 0x15, jt: 0, jf: 3, k: 17 },
  { op: 0x28, jt: 0, jf: 0, k: 36 },
  { op: 0x15, jt: 0, jf: 1, k: port },
  { op: 0x06, jt: 0, jf: 0, k: 64 },
  { op: 0x06, jt: 0, jf: 0, k: 0 },
];

const loopback = 1;

describe("openPacketCapture()", { skip: process.getuid?.() === 0 ? false : "needs root" }, () => {
  it("keeps what the filter accepts, of traffic that really flows", async () => {
    using network = createLinuxNetworks().here;
    const { createSocket } = await import("node:dgram");
    const receiver = createSocket("udp4");
    const sender = createSocket("udp4");
    await new Promise<void>((resolve) => void receiver.bind(0, "127.0.0.1", resolve));
    const { port } = receiver.address();
    using capture = await network.openCapture({ linkIndex: loopback, snapLength: 4096, filter: udpTo(port) });
    const say = (text: string, to: number): Promise<unknown> =>
      new Promise((resolve) => sender.send(text, to, "127.0.0.1", resolve));
    await say("other", port === 65_535 ? port - 1 : port + 1);
    await say("wanted", port);
    for await (const batch of capture.batches) {
      for (const { bytes } of batch) assert.equal(bytes.subarray(42).toString(), "wanted");
      break;
    }
    receiver.close();
    sender.close();
  });

  it("refuses a program that the kernel does not accept", async () => {
    using network = createLinuxNetworks().here;
    const filter = [{ op: 0xffff, jt: 0, jf: 0, k: 0 }];
    await assert.rejects(network.openCapture({ linkIndex: loopback, snapLength: 64, filter }), {
      code: /\/einval$/,
      message: /attach a BPF filter of 1 instructions/,
    });
  });
});
