import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { describe, it } from "node:test";
import { describeError } from "@talos-ts/base";
import { createChannel } from "./channel.ts";
import { createClient } from "./client.ts";
import type { Peer } from "./peer.ts";
import { createServer } from "./server.ts";
import type { ServerTls, ServerTlsMaterial } from "./server-tls.ts";
import { createAuthority } from "./testing/certificates.ts";
import { bytes, Echo, text } from "./testing/echo.ts";
import { failureOf } from "./testing/pair.ts";

const authority = createAuthority();
const server = { ...authority.issue({ names: ["127.0.0.1", "localhost"] }), ca: authority.ca };
const admin = { ...authority.issue({ organizations: ["os:admin", "os:operator"] }), ca: authority.ca };

interface Served extends AsyncDisposable {
  readonly address: string;
  readonly peers: Peer[];
}

async function serve(tls: ServerTls): Promise<Served> {
  const peers: Peer[] = [];
  const grpc = createServer({ graceMs: 0, handshakeTimeoutMs: 2000 }).addService(Echo, {
    unary: (request, { peer }) => {
      peers.push(peer);
      return request;
    },
  });
  const { address } = await grpc.listen({ host: "127.0.0.1", port: 0, tls });
  return { address, peers, [Symbol.asyncDispose]: () => grpc.close() };
}

describe("TLS", () => {
  it("sends large answers to several callers at once, each whole", async () => {
    await using served = await serve({ material: server });
    await using first = createChannel({ target: served.address, tls: { material: { ca: authority.ca } } });
    await using second = createChannel({ target: served.address, tls: { material: { ca: authority.ca } } });
    const answers = [first, second, first, second].map(async (channel, index) => {
      const value = Buffer.from(Array.from({ length: 50_000 }, (_, at) => `${String(index)}:${String(at)},`).join(""));
      const answer = await createClient(Echo, channel).unary({ value });
      assert.ok(value.equals(answer.value), `answer ${String(index)} has other bytes`);
    });
    await Promise.all(answers);
  });

  it("verifies a server by IP address and shows the client's roles to the handler", async () => {
    await using served = await serve({ material: server, clientAuth: "require" });
    await using channel = createChannel({ target: served.address, tls: { material: admin } });
    assert.equal(text(await createClient(Echo, channel).unary(bytes("x"))), "x");
    const [peer] = served.peers;
    assert.deepEqual(peer?.tls?.organizations, ["os:admin", "os:operator"]);
    assert.equal(peer.tls.commonName, "test");
    assert.equal(peer.tls.authorized, true);
    assert.equal(peer.ip, "127.0.0.1");
  });

  it("refuses a server whose certificate lacks the address dialled", async () => {
    await using served = await serve({ material: { ...authority.issue({ names: ["10.0.0.1"] }) } });
    await using channel = createChannel({ target: served.address, tls: { material: { ca: authority.ca } } });
    const err = await failureOf(createClient(Echo, channel).unary(bytes("")));
    assert.equal(err.kind, "unavailable");
    assert.match(err.message, /127\.0\.0\.1/);
    await using renamed = createChannel({
      target: served.address,
      tls: { material: { ca: authority.ca }, serverName: "10.0.0.1" },
    });
    await createClient(Echo, renamed).unary(bytes(""));
  });

  it("refuses a server of another authority unless told not to verify", async () => {
    await using served = await serve({ material: server });
    const tls = { material: { ca: createAuthority("another").ca } };
    await using wary = createChannel({ target: served.address, tls });
    assert.equal((await failureOf(createClient(Echo, wary).unary(bytes("")))).kind, "unavailable");
    await using insecure = createChannel({ target: served.address, tls: { insecure: true } });
    await createClient(Echo, insecure).unary(bytes(""));
  });

  it("shows a caller that verifies nothing else the certificate, before a call is sent", async () => {
    await using served = await serve({ material: server });
    const seen: Buffer[] = [];
    const note = (der: Buffer): void => void seen.push(der);
    await using curious = createChannel({ target: served.address, tls: { insecure: true, checkCertificate: note } });
    await createClient(Echo, curious).unary(bytes(""));
    assert.deepEqual(seen, [new X509Certificate(server.cert).raw]);
    const refuse = (): void => {
      throw new Error("not this one");
    };
    await using strict = createChannel({ target: served.address, tls: { insecure: true, checkCertificate: refuse } });
    assert.match((await failureOf(createClient(Echo, strict).unary(bytes("")))).message, /not this one/);
  });

  it("refuses clients without a certificate of its authority when it requires one", async () => {
    await using served = await serve({ material: server, clientAuth: "require" });
    const stranger = { ...createAuthority("another").issue({ organizations: ["os:admin"] }), ca: authority.ca };
    for (const material of [{ ca: authority.ca }, stranger]) {
      await using channel = createChannel({ target: served.address, tls: { material } });
      const err = await failureOf(createClient(Echo, channel).unary(bytes("")));
      assert.equal(err.kind, "unavailable");
      assert.doesNotMatch(describeError(err), /\n|openssl/);
    }
    assert.deepEqual(served.peers, []);
  });

  it("tells the handler of clients it does not know when it only requests a certificate", async () => {
    await using served = await serve({ material: server, clientAuth: "request" });
    const stranger = { ...createAuthority("another").issue({ organizations: ["os:admin"] }), ca: authority.ca };
    for (const material of [{ ca: authority.ca }, stranger, admin]) {
      await using channel = createChannel({ target: served.address, tls: { material } });
      await createClient(Echo, channel).unary(bytes(""));
    }
    assert.deepEqual(
      served.peers.map((peer) => peer.tls?.authorized),
      [false, false, true],
    );
    assert.equal(served.peers[0]?.tls?.certificate, undefined);
  });

  it("uses rotated material for new connections of either side", async () => {
    let current: ServerTlsMaterial = server;
    await using served = await serve({ material: () => current, clientAuth: "require" });
    let shown = admin;
    await using before = createChannel({ target: served.address, tls: { material: () => shown } });
    await createClient(Echo, before).unary(bytes(""));

    const next = createAuthority("next");
    current = { ...next.issue({ names: ["127.0.0.1"] }), ca: next.ca };
    await createClient(Echo, before).unary(bytes("the old connection lives"));
    await using stale = createChannel({ target: served.address, tls: { material: admin } });
    assert.equal((await failureOf(createClient(Echo, stale).unary(bytes("")))).kind, "unavailable");
    shown = { ...next.issue({ organizations: ["os:reader"] }), ca: next.ca };
    await using after = createChannel({ target: served.address, tls: { material: () => shown } });
    await createClient(Echo, after).unary(bytes(""));
    assert.deepEqual(served.peers.at(-1)?.tls?.organizations, ["os:reader"]);
  });

  it("keeps serving with the last good material when the next is broken", async () => {
    let current: ServerTlsMaterial = server;
    await using served = await serve({ material: () => current });
    current = { cert: "no certificate", key: "no key" };
    await using channel = createChannel({ target: served.address, tls: { material: { ca: authority.ca } } });
    await createClient(Echo, channel).unary(bytes(""));
  });

  it("accepts TLS 1.2 only when allowed", async () => {
    await using served = await serve({ material: server, minVersion: "TLSv1.2" });
    await using channel = createChannel({
      target: served.address,
      tls: { material: { ca: authority.ca }, minVersion: "TLSv1.2" },
    });
    await createClient(Echo, channel).unary(bytes(""));
  });

  it("fails on a plain-text server", async () => {
    await using plain = createServer({ graceMs: 0 });
    const { address } = await plain.listen({ host: "127.0.0.1", port: 0 });
    await using channel = createChannel({ target: address, tls: { insecure: true }, connectTimeoutMs: 2000 });
    assert.equal((await failureOf(createClient(Echo, channel).unary(bytes("")))).kind, "unavailable");
  });
});
