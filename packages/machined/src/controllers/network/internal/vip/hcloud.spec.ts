import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hcloudMover } from "./hcloud.ts";
import type { AddressMover } from "./address-mover.ts";
import { startTestProvider, type TestProvider } from "./testing-provider.ts";

const { signal } = new AbortController();

function mover({ url }: TestProvider, ip: string): AddressMover {
  return hcloudMover({ root: "/nonexistent", ip, apiToken: "secret", url, metadataUrl: `${url}/metadata` });
}

const changes = ({ requests }: TestProvider): readonly unknown[] =>
  requests.flatMap(({ line, body }) => (line.startsWith("POST") ? [[line, body]] : []));

describe("hcloudMover()", () => {
  it("moves a private address as alias IP of the network that has it", async () => {
    const page1 = { servers: [{ id: 7, private_net: [] }], meta: { pagination: { next_page: 2 } } };
    const page2 = {
      servers: [{ id: 9, private_net: [{ network: 4, alias_ips: ["10.0.0.50"] }] }],
      meta: { pagination: { next_page: null } },
    };
    const answers: Readonly<Record<string, unknown>> = {
      "GET /metadata/instance-id": "8\n",
      "GET /servers/8": { server: { id: 8, private_net: [{ network: 3 }, { network: 4 }] } },
      "GET /networks/3": { network: { id: 3, ip_range: "192.168.0.0/16" } },
      "GET /networks/4": { network: { id: 4, ip_range: "10.0.0.0/16" } },
      "GET /servers?page=1&per_page=50": page1,
      "GET /servers?page=2&per_page=50": page2,
      "POST /servers/9/actions/change_alias_ips": { action: { status: "running" } },
      "POST /servers/8/actions/change_alias_ips": { action: { status: "running" } },
    };
    await using provider = await startTestProvider(({ line }) => answers[line]);
    await mover(provider, "10.0.0.50").acquire(signal);
    assert.deepEqual(changes(provider), [
      ["POST /servers/9/actions/change_alias_ips", { network: 4, alias_ips: [] }],
      ["POST /servers/8/actions/change_alias_ips", { network: 4, alias_ips: ["10.0.0.50"] }],
    ]);
    const [metadata, first] = provider.requests;
    assert.equal(metadata?.headers.authorization, undefined);
    assert.equal(first?.headers.authorization, "Bearer secret");

    await mover(provider, "10.0.0.50").release(signal);
    assert.deepEqual(changes(provider).at(-1), [
      "POST /servers/8/actions/change_alias_ips",
      { network: 4, alias_ips: [] },
    ]);
  });

  it("moves a public address as floating IP, which stays when it is released", async () => {
    const floating = [
      { id: 1, ip: "203.0.113.9", server: 7 },
      { id: 2, ip: "2001:db8:0:1::/64", server: null },
    ];
    await using provider = await startTestProvider(({ line }) => {
      if (line === "GET /metadata/instance-id") return "8";
      return line.startsWith("GET") ? { floating_ips: floating } : { action: {} };
    });
    await mover(provider, "203.0.113.9").acquire(signal);
    await mover(provider, "2001:db8:0:1::").acquire(signal);
    await mover(provider, "203.0.113.9").release(signal);
    assert.deepEqual(changes(provider), [
      ["POST /floating_ips/1/actions/assign", { server: 8 }],
      ["POST /floating_ips/2/actions/assign", { server: 8 }],
    ]);
    await assert.rejects(mover(provider, "203.0.113.10").acquire(signal), {
      code: "vip/provider",
      message: 'error assigning "203.0.113.10" to server 8: floating IP / alias IP is not found',
    });
  });

  it("names the request that the API refuses, without the token", async () => {
    await using provider = await startTestProvider(({ line }) => (line.startsWith("GET /metadata") ? "8" : undefined));
    await assert.rejects(mover(provider, "203.0.113.9").acquire(signal), ({ message }: Error) => {
      assert.match(message, /^GET http:\/\/127\.0\.0\.1:\d+\/floating_ips: status 404: .*not_found/);
      assert.ok(!message.includes("secret"));
      return true;
    });
  });
});
