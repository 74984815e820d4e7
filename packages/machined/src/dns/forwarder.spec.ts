import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, systemClock } from "@talos-ts/base";
import { exchangeTcp, exchangeUdp } from "./exchange.ts";
import { createForwarder, type Forwarder } from "./forwarder.ts";
import { listenTcp, listenUdp } from "./listeners.ts";
import { addressAnswer, query, readAnswer, readQuestion, responseCodes, types } from "./message.ts";

const good = { host: "192.0.2.1", port: 53 };
const bad = { host: "192.0.2.2", port: 53 };
const asked = query("example.org", types.a, 7);
const question = readQuestion(asked);
const address = Buffer.from([192, 0, 2, 99]);

/** Servers by name: one answers, the other fails. */
function world(servers = [good]) {
  const calls: string[] = [];
  const clock = createManualClock();
  const forwarder = createForwarder({
    clock,
    servers: () => servers,
    own: (name) => (name === "node-1" ? [Buffer.from([10, 5, 0, 2])] : undefined),
    async udp(bytes, given, server) {
      calls.push(server.host);
      if (server === bad) throw new Error("unreachable");
      return addressAnswer(bytes, given, [address], 60);
    },
    async tcp() {
      throw new Error("not needed");
    },
  });
  const ask = async (bytes: Buffer) => {
    const answer = await forwarder.answer(bytes);
    assert.ok(answer !== undefined);
    return answer.bytes;
  };
  return { calls, clock, forwarder, ask };
}

describe("createForwarder()", () => {
  it("asks once while the answer lasts, and gives it back in the words of each client", async () => {
    const { calls, clock, ask } = world();
    await ask(asked);
    await clock.advance(20_000);
    const again = await ask(query("EXAMPLE.org", types.a, 9));
    assert.equal(again.readUInt16BE(0), 9);
    assert.ok(again.includes("EXAMPLE"));
    assert.equal(readAnswer(again, question).ttlSeconds, 40);
    assert.deepEqual(calls, ["192.0.2.1"]);
    await clock.advance(40_000);
    await ask(asked);
    assert.equal(calls.length, 2);
  });
  it("asks the same question of many clients once", async () => {
    const { calls, ask } = world();
    await Promise.all([ask(asked), ask(query("example.org", types.a, 8)), ask(asked)]);
    assert.equal(calls.length, 1);
  });
  it("goes on to the next server, and admits failure when there is none", async () => {
    const both = world([bad, good]);
    assert.equal(readAnswer(await both.ask(asked), question).code, responseCodes.ok);
    assert.deepEqual(both.calls, ["192.0.2.2", "192.0.2.1"]);
    const none = world([bad]);
    assert.equal(readAnswer(await none.ask(asked), question).code, responseCodes.serverFailure);
  });
  it("knows its own names without asking anybody", async () => {
    const { calls, ask } = world();
    const own = query("Node-1", types.a, 3);
    assert.equal((await ask(own)).subarray(-4).join("."), "10.5.0.2");
    const v6 = await ask(query("node-1", types.aaaa, 3));
    assert.equal(v6.readUInt16BE(6), 0);
    assert.deepEqual(calls, []);
  });
  it("answers nonsense briefly and answers not at all", async () => {
    const { forwarder, ask } = world();
    const nonsense = Buffer.from(asked);
    nonsense.writeUInt16BE(0, 4);
    assert.equal((await ask(nonsense)).readUInt16BE(2) & 0xf, responseCodes.formatError);
    assert.equal(await forwarder.answer(Buffer.alloc(3)), undefined);
    assert.equal(await forwarder.answer(addressAnswer(asked, question, [], 0)), undefined);
  });
});

/** One port that is free for both protocols: the system only finds one that is free for the first. */
async function listenBoth(host: string, forwarder: Forwarder): Promise<AsyncDisposable & { readonly port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const udp = await listenUdp({ host, port: 0 }, forwarder);
    try {
      const tcp = await listenTcp({ host, port: udp.port }, forwarder);
      const close = async (): Promise<void> => {
        await tcp[Symbol.asyncDispose]();
        await udp[Symbol.asyncDispose]();
      };
      return { port: udp.port, [Symbol.asyncDispose]: close };
    } catch (err) {
      await udp[Symbol.asyncDispose]();
      if (attempt === 20) throw err;
    }
  }
}

describe("listenUdp(), listenTcp(), exchangeUdp() and exchangeTcp()", () => {
  it("carry questions and answers, large ones by TCP", async () => {
    const many = Array.from({ length: 100 }, (_, index) => Buffer.from([10, 5, 1, index]));
    const upstream = createForwarder({ clock: systemClock, servers: () => [], own: () => many });
    const host = "127.0.0.1";
    await using behind = await listenBoth(host, upstream);
    const forwarder = createForwarder({ clock: systemClock, servers: () => [{ host, port: behind.port }] });
    await using front = await listenBoth(host, forwarder);
    const { signal } = new AbortController();
    const short = await exchangeUdp(asked, question, { host, port: front.port }, signal);
    assert.equal(readAnswer(short, question).truncated, true);
    const whole = await exchangeTcp(asked, question, { host, port: front.port }, signal);
    assert.equal(whole.readUInt16BE(6), 100);
  });
  it("say which server did not answer", async () => {
    await assert.rejects(exchangeUdp(asked, question, { host: "127.0.0.1", port: 9 }, AbortSignal.abort()), {
      code: "dns/no-answer",
    });
  });
});
