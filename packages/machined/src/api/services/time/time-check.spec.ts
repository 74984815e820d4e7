import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TimeService } from "@talos-ts/proto/time/time";
import { createTestNode } from "../../testing.ts";
import { ntpAnswer, startNtpServer } from "../../../ntp/testing.ts";

const startServer = (change?: (packet: Buffer) => void) => startNtpServer((request) => ntpAnswer(request, change));

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
    await assert.rejects(
      node.client(TimeService).timeCheck({ server: "/dev/ptp9" }),
      /this machine has no such clock device/,
    );
    await assert.rejects(node.client(TimeService).timeCheck({}), { message: "ntp server is required" });
  });
});
