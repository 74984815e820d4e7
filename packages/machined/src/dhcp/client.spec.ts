import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createRecordingLogger } from "@talos-ts/cosi/conformance";
import { createMemoryLinux } from "@talos-ts/linux/memory";
import { runDhcp } from "./client.ts";
import type { Lease } from "./lease.ts";
import { startTestDhcpServer, type TestDhcpOptions } from "./testing.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function start(options: TestDhcpOptions) {
  const network = createMemoryLinux().networks.here;
  const link = await network.createLink({ name: "eth0", info: { kind: "veth", peer: { name: "far0" } }, up: true });
  const far = await network.link("far0");
  assert.ok(link !== undefined && far !== undefined);
  const clock = createManualClock();
  const abort = new AbortController();
  const leases: (Lease | undefined)[] = [];
  const server = startTestDhcpServer(await network.openPackets(far.index), options);
  const done = runDhcp({
    open: () => network.openPackets(link.index),
    hardwareAddress: link.hardwareAddress,
    clientId: undefined,
    clock,
    logger: createRecordingLogger(),
    signal: abort.signal,
    onLease: (lease) => void leases.push(lease),
  });
  const until = async (condition: () => boolean, stepMs = 0): Promise<void> => {
    while (!condition()) {
      await turn();
      if (stepMs > 0) clock.advance(stepMs);
    }
  };
  return {
    server,
    leases,
    until,
    async [Symbol.asyncDispose]() {
      abort.abort();
      server[Symbol.dispose]();
      await done;
    },
  };
}

describe("runDhcp()", () => {
  it("discovers, requests, and renews at half of the time", async () => {
    await using test = await start({ address: "192.0.2.7", leaseSeconds: 600 });
    await test.until(() => test.leases.length === 1);
    assert.equal(test.leases[0]?.address, "192.0.2.7/24");
    assert.deepEqual(
      test.server.asked.map(({ type }) => type),
      ["discover", "request"],
    );
    await test.until(() => test.leases.length === 2, 1000);
    assert.deepEqual(
      test.server.asked.map(({ type }) => type),
      ["discover", "request", "request"],
    );
    assert.equal(test.server.asked[2]?.clientAddress, "192.0.2.7", "a renewal names the address in use");
  });
  it("gives the address up when the server refuses to renew it, and starts again", async () => {
    await using test = await start({
      address: "192.0.2.7",
      leaseSeconds: 600,
      refuses: ({ clientAddress }) => clientAddress !== "0.0.0.0",
    });
    await test.until(() => test.leases.length === 3, 1000);
    assert.deepEqual(
      test.leases.map((lease) => lease?.address),
      ["192.0.2.7/24", undefined, "192.0.2.7/24"],
    );
  });
});
