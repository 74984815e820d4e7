import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { DNSResolveCache, HostDNSConfig } from "@talos-ts/machinery/resources/network";
import { exchangeTcp, exchangeUdp } from "../../dns/exchange.ts";
import { listenUdp } from "../../dns/listeners.ts";
import { query, readQuestion, types } from "../../dns/message.ts";
import { createLogStore } from "../../logs/log-store.ts";
import { dnsResolveCacheController } from "./dns-resolve-cache.ts";

const config = (...listenAddresses: readonly string[]) =>
  createResource(
    HostDNSConfig,
    HostDNSConfig.id,
    HostDNSConfig.spec({ enabled: true, listenAddresses, resolveMemberNames: true }),
  );

/** A port of 127.0.0.1 that was free a moment ago. */
async function freePort(): Promise<number> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  await once(socket, "close");
  return port;
}

describe("dnsResolveCacheController()", () => {
  it("answers by datagram and connection where it is told to, with the names of members", async () => {
    await using kit = controllerTest({
      register: [dnsResolveCacheController({ clock: systemClock, logs: createLogStore() })],
    });
    const port = await freePort();
    const listen = `127.0.0.1:${String(port)}`;
    const member = Member.spec({ nodeId: "a", hostname: "Node-1.lan", addresses: ["10.5.0.2", "fd00::2"] });
    await kit.create(createResource(Member, "node-1", member), config(listen));
    await kit.assertSpec(DNSResolveCache, `udp-${listen}`, { status: "running" });
    await kit.assertSpec(DNSResolveCache, `tcp-${listen}`, { status: "running" });
    const asked = query("node-1", types.a, 5);
    const server = { host: "127.0.0.1", port };
    const { signal } = new AbortController();
    for (const exchange of [exchangeUdp, exchangeTcp]) {
      const answer = await exchange(asked, readQuestion(asked), server, signal);
      assert.equal(answer.subarray(-4).join("."), "10.5.0.2");
    }
    await kit.update(HostDNSConfig, HostDNSConfig.id, (spec) => ({ ...spec, enabled: false }));
    await kit.assertNoResource(DNSResolveCache, `udp-${listen}`);
    await using again = await listenUdp(server, { answer: async () => undefined, forget: () => undefined });
    assert.equal(again.port, port, "the port is free again");
  });
  it("goes on without an address that nobody can listen on yet", async () => {
    await using kit = controllerTest({
      register: [dnsResolveCacheController({ clock: systemClock, logs: createLogStore() })],
    });
    const listen = `127.0.0.1:${String(await freePort())}`;
    await kit.create(config("192.0.2.1:53", listen));
    await kit.assertResource(DNSResolveCache, `tcp-${listen}`);
    await kit.assertNoResource(DNSResolveCache, "udp-192.0.2.1:53");
    assert.ok(kit.logs.some(({ fields }) => fields["address"] === "udp-192.0.2.1:53"));
  });
});
