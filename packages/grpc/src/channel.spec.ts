import assert from "node:assert/strict";
import { constants, createServer as createHttp2Server, type ServerHttp2Stream } from "node:http2";
import { createServer as createNetServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createChannel } from "./channel.ts";
import { createClient } from "./client.ts";
import { createServer, type GrpcServer } from "./server.ts";
import { bytes, Echo, text } from "./testing/echo.ts";
import { createPair, failureOf, from } from "./testing/pair.ts";
import { temporaryDirectory } from "@talos-ts/host/testing";

const eager = { initialMs: 1, maxMs: 5 };

/** A server that answers with its name. */
function named(name: string): GrpcServer {
  return createServer({ graceMs: 0 }).addService(Echo, { unary: () => bytes(name) });
}

describe("createChannel", () => {
  it("does not connect before the first call", async () => {
    await using pair = await createPair();
    assert.equal(pair.channel.state, "idle");
    await pair.client.unary(bytes(""));
    assert.equal(pair.channel.state, "ready");
  });

  it("fails calls when the only target cannot be reached, saying which and why", async () => {
    await using channel = createChannel({ target: "unix:///nonexistent/socket" });
    const err = await failureOf(createClient(Echo, channel).unary(bytes("")));
    assert.equal(err.kind, "unavailable");
    assert.match(err.message, /unix:\/\/\/nonexistent\/socket.*ENOENT/);
  });

  it("takes targets in turn, in random order", async () => {
    await using directory = await temporaryDirectory();
    await using stack = new AsyncDisposableStack();
    const targets: string[] = [];
    for (const name of ["a", "b", "c"]) {
      const server = stack.use(named(name));
      targets.push((await server.listen({ unix: join(directory.path, name) })).address);
    }
    const channel = stack.use(createChannel({ targets, random: () => 0 }));
    const client = createClient(Echo, channel);
    const answers = new Set<string>();
    while (answers.size < 3) answers.add(text(await client.unary(bytes(""))));
    const round = [];
    for (let index = 0; index < 6; index += 1) round.push(text(await client.unary(bytes(""))));
    assert.deepEqual(round.slice(0, 3), round.slice(3));
    assert.deepEqual(round.slice(0, 3).sort(), ["a", "b", "c"]);
  });

  it("fills a connection before it takes the next, when told how many calls one gets", async () => {
    await using directory = await temporaryDirectory();
    await using stack = new AsyncDisposableStack();
    const open = Promise.withResolvers<void>();
    const targets: string[] = [];
    for (const name of ["a", "b"]) {
      const server = stack.use(
        createServer({ graceMs: 0 }).addService(Echo, {
          unary: () => bytes(name),
          clientStream: async () => {
            await open.promise;
            return bytes(name);
          },
        }),
      );
      targets.push((await server.listen({ unix: join(directory.path, name) })).address);
    }
    const channel = stack.use(createChannel({ targets, callsPerConnection: 2 }));
    const client = createClient(Echo, channel);
    const first = text(await client.unary(bytes("")));
    for (let index = 0; index < 5; index += 1) assert.equal(text(await client.unary(bytes(""))), first);
    const held = [client.clientStream(from()), client.clientStream(from()), client.clientStream(from())];
    assert.notEqual(text(await client.unary(bytes(""))), first);
    open.resolve();
    const answers = (await Promise.all(held)).map(text);
    assert.equal(answers.filter((answer) => answer === first).length, 2);
  });

  it("skips a target that is not there", async () => {
    await using directory = await temporaryDirectory();
    await using server = named("there");
    const { address } = await server.listen({ unix: join(directory.path, "s") });
    await using channel = createChannel({ targets: [`unix://${directory.path}/absent`, address] });
    const client = createClient(Echo, channel);
    for (let index = 0; index < 5; index += 1) assert.equal(text(await client.unary(bytes(""))), "there");
  });

  it("turns to fallback targets when the others cannot be reached, and only then", async () => {
    await using directory = await temporaryDirectory();
    await using first = named("first");
    await using second = named("second");
    const target = (await first.listen({ unix: join(directory.path, "first") })).address;
    const fallbackTargets = [(await second.listen({ unix: join(directory.path, "second") })).address];
    await using channel = createChannel({ target, fallbackTargets, backoff: eager });
    const client = createClient(Echo, channel);
    for (let index = 0; index < 3; index += 1) assert.equal(text(await client.unary(bytes(""))), "first");
    assert.equal(channel.fallback, undefined);
    await using absent = createChannel({ target: `unix://${directory.path}/absent`, fallbackTargets });
    assert.equal(text(await createClient(Echo, absent).unary(bytes(""))), "second");
    assert.equal(absent.fallback, fallbackTargets[0]);
  });

  it("turns to fallback targets when the others take too long", async () => {
    await using directory = await temporaryDirectory();
    const silent = createNetServer(() => undefined);
    await new Promise<void>((listening) => silent.listen(join(directory.path, "silent"), listening));
    await using second = named("second");
    const fallbackTargets = [(await second.listen({ unix: join(directory.path, "second") })).address];
    {
      const target = `unix://${directory.path}/silent`;
      await using channel = createChannel({ target, fallbackTargets, fallbackDelayMs: 10 });
      assert.equal(text(await createClient(Echo, channel).unary(bytes(""))), "second");
    }
    silent.close();
  });

  it("names every target and fallback when none is there", async () => {
    await using channel = createChannel({ target: "unix:///no/a", fallbackTargets: ["unix:///no/b"] });
    const err = await failureOf(createClient(Echo, channel).unary(bytes("")));
    assert.match(err.message, /no\/a.*no\/b/);
  });

  it("names every target when none is there", async () => {
    await using channel = createChannel({ targets: ["unix:///nonexistent/a", "unix:///nonexistent/b"] });
    const err = await failureOf(createClient(Echo, channel).unary(bytes("")));
    assert.match(err.message, /nonexistent\/a/);
    assert.match(err.message, /nonexistent\/b/);
  });

  it("connects again after the server came back", async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, "s");
    await using channel = createChannel({ target: `unix://${path}`, backoff: eager });
    const client = createClient(Echo, channel);
    for (const name of ["first", "second"]) {
      await using server = named(name);
      await server.listen({ unix: path });
      assert.equal(text(await client.unary(bytes(""), { waitForReady: true })), name);
    }
  });

  it("waits for a server that starts later when asked to", async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, "s");
    await using channel = createChannel({ target: `unix://${path}`, backoff: eager });
    const client = createClient(Echo, channel);
    const call = client.unary(bytes(""), { waitForReady: true });
    await failureOf(client.unary(bytes("")));
    await using server = named("late");
    await server.listen({ unix: path });
    assert.equal(text(await call), "late");
  });

  it("gives up waiting at the deadline or when cancelled", async () => {
    await using channel = createChannel({ target: "unix:///nonexistent/socket", backoff: eager });
    const client = createClient(Echo, channel);
    await assert.rejects(client.unary(bytes(""), { waitForReady: true, timeoutMs: 30 }), { kind: "deadline-exceeded" });
    const controller = new AbortController();
    const call = client.unary(bytes(""), { waitForReady: true, signal: controller.signal });
    controller.abort();
    await assert.rejects(call, { kind: "cancelled" });
  });

  it("opens a new connection after GOAWAY while the old one finishes its calls", async () => {
    await using pair = await createPair();
    const slow = pair.client.bidi(forever());
    await slow.next();
    const listening = pair.server.close(5000);
    await using successor = named("successor");
    await successor.listen({ unix: pair.address.replace("unix://", "") });
    let answer = "";
    while (answer !== "successor")
      answer = text(await pair.client.unary(bytes("old"), { waitForReady: true }).catch(() => bytes("")));
    await slow.return?.();
    await listening;
  });

  it("drops a connection whose peer does not answer pings", async () => {
    const sockets = new Set<Socket>();
    const server = createHttp2Server();
    server.on("session", (session) => {
      session.once("remoteSettings", () =>
        (session.socket as unknown as { readonly _handle: { readStop(): void } })._handle.readStop(),
      );
    });
    server.on("connection", (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const target = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    await using channel = createChannel({ target, keepAliveIntervalMs: 10, keepAliveTimeoutMs: 20 });
    await assert.rejects(createClient(Echo, channel).unary(bytes("")), { kind: "unavailable" });
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it("probes a connection that was idle, and leaves a peer that vanished", async () => {
    const sockets = new Set<Socket>();
    const server = createHttp2Server();
    let calls = 0;
    server.on("stream", (stream: ServerHttp2Stream) => {
      stream.on("error", () => {});
      calls += 1;
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.end(Buffer.from([0, 0, 0, 0, 0]));
      // As a host that lost its power: nothing is read, nothing answers, the connection stays.
      if (calls === 1) {
        const { socket } = stream.session ?? {};
        stream.once("close", () => (socket as unknown as { _handle: { readStop(): void } })._handle.readStop());
      }
    });
    server.on("connection", (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const target = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    await using channel = createChannel({ target, probeIdleMs: 0, keepAliveTimeoutMs: 50 });
    const client = createClient(Echo, channel);
    await client.unary(bytes(""));
    let lost: unknown;
    while (lost === undefined)
      lost = await client.unary(bytes("")).then(
        () => undefined,
        (err: unknown) => err,
      );
    assert.match((lost as Error).message, /no answer to a PING within 50 ms/);
    await client.unary(bytes(""));
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it("says that the deadline passed when the server was the first to act on it", async (context) => {
    const server = createHttp2Server();
    server.on("stream", (stream: ServerHttp2Stream) => {
      stream.on("error", () => {});
      const passed = performance.now() + 10;
      const reset = (): void =>
        void (performance.now() < passed ? setImmediate(reset) : stream.close(constants.NGHTTP2_CANCEL));
      reset();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const target = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    await using channel = createChannel({ target });
    const client = createClient(Echo, channel);
    // A busy client: its own timer has not fired yet.
    context.mock.timers.enable({ apis: ["setTimeout"] });
    await assert.rejects(client.unary(bytes(""), { timeoutMs: 10 }), { kind: "deadline-exceeded" });
    await assert.rejects(client.unary(bytes(""), { timeoutMs: 10_000 }), { kind: "cancelled" });
    context.mock.timers.reset();
    await channel[Symbol.asyncDispose]();
    await new Promise((resolve) => server.close(resolve));
  });

  it("gives up on a peer that accepts and says nothing", async () => {
    const sockets = new Set<Socket>();
    const server = createNetServer((socket) => sockets.add(socket.on("error", () => {})));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const target = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    await using channel = createChannel({ target, connectTimeoutMs: 30 });
    const err = await failureOf(createClient(Echo, channel).unary(bytes("")));
    assert.match(err.message, /no HTTP\/2 settings/);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it("survives a peer that answers with garbage", async () => {
    const server = createNetServer((socket) => {
      socket.on("error", () => {}).resume();
      socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const target = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    await using channel = createChannel({ target });
    assert.equal((await failureOf(createClient(Echo, channel).unary(bytes("")))).kind, "unavailable");
    await new Promise((resolve) => server.close(resolve));
  });

  it("refuses calls after it was closed, and fails those under way", async () => {
    await using pair = await createPair();
    const call = failureOf(pair.client.unary(bytes("wait")));
    await pair.client.unary(bytes(""));
    await pair.channel.close();
    assert.equal((await call).kind, "unavailable");
    assert.equal((await failureOf(pair.client.unary(bytes("")))).code, "grpc/closed");
  });

  it("sends a refused call again", async () => {
    let refused = 0;
    await using directory = await temporaryDirectory();
    const server = createHttp2Server();
    server.on("stream", (stream: ServerHttp2Stream) => {
      stream.on("error", () => {});
      if (refused < 2) {
        refused += 1;
        stream.close(7);
        return;
      }
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.end(Buffer.of(0, 0, 0, 0, 0));
    });
    const path = join(directory.path, "s");
    await new Promise<void>((resolve) => server.listen(path, resolve));
    await using channel = createChannel({ target: `unix://${path}` });
    assert.equal(text(await createClient(Echo, channel).unary(bytes("x"))), "");
    assert.equal(refused, 2);
    await channel.close();
    await new Promise((resolve) => server.close(resolve));
  });
});

async function* forever() {
  yield bytes("x");
  await new Promise(() => {});
}
