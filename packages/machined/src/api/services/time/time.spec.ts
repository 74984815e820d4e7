import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { describe, it } from "node:test";
import { TimeService } from "@talos-ts/proto/time/time";
import { createTestNode } from "../../testing.ts";
import { ntpRequest, parseNtpResponse } from "../../support/ntp/ntp-packet.ts";

/** 2023-11-14T22:13:20.5Z in the time of NTP. */
const halfPast = ((1_700_000_000n + 2_208_988_800n) << 32n) | 0x8000_0000n;

function answerTo(request: Buffer, change: (packet: Buffer) => void = () => undefined): Buffer {
  const packet = Buffer.alloc(48);
  packet[0] = 0x24;
  packet[1] = 2;
  request.copy(packet, 24, 40, 48);
  packet.writeBigUInt64BE(halfPast, 40);
  change(packet);
  return packet;
}

async function startServer(change?: (packet: Buffer) => void): Promise<AsyncDisposable & { readonly name: string }> {
  const socket = createSocket("udp4");
  socket.on("message", (request, { port, address }) => socket.send(answerTo(request, change), port, address));
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    name: `127.0.0.1:${String(socket.address().port)}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

describe("parseNtpResponse()", () => {
  const request = ntpRequest(7n);
  it("reads the time, also after the seconds have begun anew", () => {
    assert.equal(parseNtpResponse(answerTo(request), 7n).nanoseconds, 1_700_000_000_500_000_000n);
    const later = answerTo(request, (packet) => packet.writeBigUInt64BE(1n << 32n, 40));
    assert.equal(new Date(Number(parseNtpResponse(later, 7n).nanoseconds / 1_000_000n)).getUTCFullYear(), 2036);
  });
  it("believes no answer to another question, and no server that is not in sync", () => {
    assert.throws(() => parseNtpResponse(answerTo(request), 8n), { message: "server response mismatch" });
    const stratum = (value: number) => answerTo(request, (packet) => void (packet[1] = value));
    assert.throws(() => parseNtpResponse(stratum(16), 7n), { message: "invalid stratum in response" });
    assert.throws(() => parseNtpResponse(stratum(0), 7n), /kiss of death/);
    assert.throws(() => parseNtpResponse(Buffer.alloc(3), 7n), { message: "response is too short" });
  });
});

describe("timeService()", () => {
  it("compares the clock with a server", async () => {
    await using node = await createTestNode();
    await using server = await startServer();
    const [answer] = (await node.client(TimeService).timeCheck({ server: server.name })).messages;
    assert.equal(answer?.server, server.name);
    assert.equal(answer.remotetime?.seconds, 1_700_000_000n);
    assert.equal(answer.remotetime.nanos, 500_000_000);
  });
  it("says which server could not be asked, and why", async () => {
    await using node = await createTestNode();
    await using server = await startServer((packet) => void (packet[1] = 16));
    await assert.rejects(node.client(TimeService).timeCheck({ server: server.name }), {
      message: `error querying NTP server "${server.name}": invalid stratum in response`,
    });
    await assert.rejects(node.client(TimeService).timeCheck({}), { message: "ntp server is required" });
  });
});
