import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { addressBytes } from "@talos-ts/base/net";
import { createRecordingLogger } from "@talos-ts/cosi/conformance";
import { runDhcp6 } from "./client.ts";
import type { Lease6 } from "./lease.ts";
import { findOption6, options6 } from "./message.ts";
import { bindDhcp6 } from "./socket.ts";
import { startDhcp6Server, type TestDhcp6Options } from "./testing.ts";

const search = Buffer.from("\x07example\x03org\0\x01a\0", "latin1");
const ntp = Buffer.concat([Buffer.from([0, 1, 0, 16]), addressBytes("2001:db8::123")]);

async function start(server: TestDhcp6Options) {
  const running = await startDhcp6Server(server);
  const clock = createManualClock();
  const abort = new AbortController();
  const leases: (Lease6 | undefined)[] = [];
  let told: (() => void) | undefined;
  const next = () => new Promise<void>((resolve) => (told = resolve));
  const first = next();
  const over = runDhcp6({
    open: () => bindDhcp6({ address: "::1", port: 0 }, { address: "::1", port: running.port }),
    clientId: Buffer.from("0003000102000000000a", "hex"),
    identity: 10,
    clock,
    logger: createRecordingLogger(),
    signal: abort.signal,
    random: () => 0.5,
    onLease(lease) {
      leases.push(lease);
      told?.();
    },
  });
  return {
    asked: running.asked,
    clock,
    leases,
    first,
    next,
    async [Symbol.asyncDispose]() {
      abort.abort();
      await over;
      await running[Symbol.asyncDispose]();
    },
  };
}

describe("runDhcp6()", () => {
  it("gets an address from a real server, with resolvers and time servers, and renews it", async () => {
    await using client = await start({
      address: "2001:db8::7",
      validSeconds: 4000,
      more: [
        [options6.dns, addressBytes("2001:db8::53")],
        [options6.search, search],
        [options6.ntp, ntp],
      ],
    });
    await client.first;
    const [lease] = client.leases;
    assert.equal(lease?.address, "2001:db8::7/128");
    assert.deepEqual(lease.dnsServers, ["2001:db8::53"]);
    assert.deepEqual(lease.searchDomains, ["example.org", "a"]);
    assert.deepEqual(lease.timeServers, ["2001:db8::123"]);
    assert.deepEqual([lease.renewMs, lease.rebindMs, lease.expiresMs], [1_000_000, 2_000_000, 4_000_000]);
    const renewed = client.next();
    while (client.clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    await client.clock.advance(1_000_000);
    await renewed;
    assert.deepEqual(
      client.asked.map(({ type }) => type),
      ["solicit", "request", "renew"],
    );
    const [, request, renewal] = client.asked;
    assert.ok(request && findOption6(request.options, options6.serverId), "only the server that advertised");
    assert.ok(renewal && findOption6(renewal.options, options6.serverId));
  });
});
