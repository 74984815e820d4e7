import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { describe, it } from "node:test";
import { TimeService } from "@talos-ts/proto/time/time";
import { createTestNode } from "../../testing.ts";
import { ntpAnswer as answerTo } from "../../support/ntp/testing.ts";

async function startServer(change?: (packet: Buffer) => void): Promise<AsyncDisposable & { readonly name: string }> {
  const socket = createSocket("udp4");
  socket.on("message", (request, { port, address }) => socket.send(answerTo(request, change), port, address));
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    name: `127.0.0.1:${String(socket.address().port)}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

describe("timeCheck()", () => {
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
